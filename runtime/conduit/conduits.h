/* The table of conduits: one row each, by which the library (find.c), the build (CMakeLists.txt), `meridian
 * doctor' and the tests find them.  A conduit lies in conduit/NAME/.
 *
 *   COMPILED_IN   the library has it: it defines `const struct mer_conduit mer_conduit_NAME'
 *   MODULE        programs load conduit-NAME.so when they start; conduit/NAME/module.cmake builds it, if
 *                 the libraries that it needs are installed
 *
 * If the user names no conduit, a job takes the first one whose condition, a function of find.c, is true, and
 * which can be loaded.  The texts are for `meridian doctor': the network that the conduit uses, and the
 * Debian package that the build needs for it.
 */
#ifndef MER_CONDUIT_CONDUITS_H
#define MER_CONDUIT_CONDUITS_H

/*    name      kind         condition            over                       package */
#define MER_CONDUITS(X)                                                                                      \
    X(ofi, MODULE, has_network_for_libfabric, "libfabric", "libfabric-dev")                                  \
    X(tcp, COMPILED_IN, always, "TCP", "")                                                                   \
    X(template, COMPILED_IN, only_when_named, "Unix-domain sockets, on one machine", "")

struct mer_conduit;
#define MER_CONDUIT_DECLARE(name, ...) extern const struct mer_conduit mer_conduit_##name;
MER_CONDUITS(MER_CONDUIT_DECLARE) /* those of modules are never defined */

#endif
