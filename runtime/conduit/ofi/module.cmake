# The conduit over libfabric, where that is installed with its headers.
find_path(LIBFABRIC_INCLUDE rdma/fabric.h)
find_library(LIBFABRIC_LIBRARY fabric)
if(LIBFABRIC_INCLUDE AND LIBFABRIC_LIBRARY)
  meridian_module(conduit-ofi conduit/ofi/*.c conduit/interfaces.c conduit/sockets.c base/limits.c
    base/system.c)
  target_include_directories(conduit_ofi SYSTEM PRIVATE ${LIBFABRIC_INCLUDE})
  target_link_libraries(conduit_ofi PRIVATE ${LIBFABRIC_LIBRARY})
  message(STATUS "conduit ofi: built with ${LIBFABRIC_LIBRARY}")
else()
  message(STATUS "conduit ofi: not built, since libfabric and its headers (libfabric-dev) are not installed")
endif()
