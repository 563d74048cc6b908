# Whether the compiler works is asked with its version, which needs its headers, its library and a C compiler.
if(NOT CMAKE_UPC_COMPILER_WORKS)
  string(STRIP "${CMAKE_UPC_COMPILER_ARG1}" _meridian_argument)
  execute_process(COMMAND "${CMAKE_UPC_COMPILER}" ${_meridian_argument} --version
    RESULT_VARIABLE _meridian_result OUTPUT_VARIABLE _meridian_version ERROR_VARIABLE _meridian_error)
  if(NOT _meridian_result EQUAL 0)
    message(FATAL_ERROR "${CMAKE_UPC_COMPILER} does not work:\n${_meridian_error}")
  endif()
  string(REGEX MATCH "^[^\n]*" _meridian_version "${_meridian_version}")
  message(STATUS "The UPC compiler: ${_meridian_version}")
  set(CMAKE_UPC_COMPILER_WORKS 1 CACHE INTERNAL "")
endif()
