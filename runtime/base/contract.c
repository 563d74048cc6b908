/* The version of the contract with which the runtime is compiled, under a name that contains it: an object
 * file of another version refers to another name, so that linking it fails.  And the layouts of the records
 * and tables that compiled files leave. */
#include <meridian/abi/abi.h>

#include "base/layout_check.h"

const unsigned MER_CONTRACT_SYMBOL = MER_CONTRACT;

MER_LAYOUT_CHECK(struct mer_unit, MER_LAYOUT_UNIT);
MER_LAYOUT_CHECK(struct mer_init_ptr, MER_LAYOUT_INIT_PTR);
MER_LAYOUT_CHECK(struct mer_init_data, MER_LAYOUT_INIT_DATA);
MER_LAYOUT_CHECK(struct mer_big, MER_LAYOUT_BIG);
MER_LAYOUT_CHECK(struct mer_sized, MER_LAYOUT_SIZED);
MER_LAYOUT_CHECK_FIELDS(struct mer_image, MER_LAYOUT_IMAGE);
MER_LAYOUT_CHECK(struct mer_job, MER_LAYOUT_JOB);
