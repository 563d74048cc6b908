# The first of CMake's steps of enable_language(UPC): which compiler there is. It is `meridian cc' of the
# installation that this file is a part of, or what CMAKE_UPC_COMPILER names.
include(${CMAKE_ROOT}/Modules/CMakeDetermineCompiler.cmake)

if(NOT CMAKE_UPC_COMPILER)
  get_filename_component(_meridian_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  find_program(CMAKE_UPC_COMPILER NAMES meridian HINTS "${_meridian_prefix}/bin" DOC "the compiler of UPC, Split-C and AC")
  if(NOT CMAKE_UPC_COMPILER)
    message(FATAL_ERROR "Meridian's command `meridian' is neither in ${_meridian_prefix}/bin nor in PATH")
  endif()
endif()
get_filename_component(_meridian_name "${CMAKE_UPC_COMPILER}" NAME)
if(_meridian_name STREQUAL "meridian")
  set(CMAKE_UPC_COMPILER_ARG1 " cc")
endif()
find_program(CMAKE_AR NAMES ar)
find_program(CMAKE_RANLIB NAMES ranlib)
mark_as_advanced(CMAKE_UPC_COMPILER CMAKE_AR CMAKE_RANLIB)

configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeUPCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake" @ONLY)
set(CMAKE_UPC_COMPILER_ENV_VAR "UPCC")
