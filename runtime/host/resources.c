/* CPUs and memory of the host, from /proc and the control groups (versions 1 and 2). */
#include "host/resources.h"

#include "base/system.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_SIZE 768

void mer_cpus_join(uint64_t *cpus, int words) {
    uint64_t own[128] = {0};
    /* The system call accepts masks of any size; the library's type holds 1,024 CPUs. */
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof own, own);
    for (int i = 0; i < words && i < 128 && i * 8 < bytes; i++)
        __atomic_fetch_or(&cpus[i], own[i], __ATOMIC_SEQ_CST);
}

/* Write this process's group in the hierarchy of `controller` ("" for version 2) into group.
 * /proc/self/cgroup has lines "9:cpu,cpuacct:/path"; version 2's is "0::/path". */
static bool own_group(const char *controller, char *group, size_t size) {
    char text[4096];
    if (!mer_file_text("/proc/self/cgroup", text, sizeof text))
        return false;
    for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = 0;
        names++;
        bool found = !*controller && !*names;
        for (char *keep, *name = strtok_r(names, ",", &keep); name && !found;
             name = strtok_r(NULL, ",", &keep))
            found = strcmp(name, controller) == 0;
        if (found) {
            snprintf(group, size, "%s", strcmp(path, "/") == 0 ? "" : path);
            return true;
        }
    }
    return false;
}

/* Call visit with the directory of this process's group and of each group above it, below `mount`.  In a
 * container the group's path may not be visible; then the mount's own root is used in its place. */
static void each_group(const char *controller, const char *mount, void (*visit)(const char *, void *),
                       void *data) {
    char group[PATH_SIZE / 2], dir[PATH_SIZE];
    if (!own_group(controller, group, sizeof group))
        return;
    for (;;) {
        snprintf(dir, sizeof dir, "%s%s", mount, group);
        visit(dir, data);
        char *slash = strrchr(group, '/');
        if (!slash)
            return;
        *slash = 0;
    }
}

static bool read_number(const char *dir, const char *name, uint64_t *value) {
    char path[PATH_SIZE + 64], text[64], *end;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (!mer_file_text(path, text, sizeof text))
        return false;
    *value = strtoull(text, &end, 10);
    return end != text;
}

/* ---- CPUs ---------------------------------------------------------------------------------------------- */

static void quota_v2(const char *dir, void *data) {
    char path[PATH_SIZE + 64], text[64];
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", dir);
    if (mer_file_text(path, text, sizeof text) && sscanf(text, "%lf %lf", &quota, &period) == 2 &&
        period > 0 && quota / period < *(double *)data)
        *(double *)data = quota / period;
}

static void quota_v1(const char *dir, void *data) {
    uint64_t quota, period;
    if (read_number(dir, "cpu.cfs_quota_us", &quota) && read_number(dir, "cpu.cfs_period_us", &period) &&
        (int64_t)quota > 0 && period > 0 && (double)quota / (double)period < *(double *)data)
        *(double *)data = (double)quota / (double)period;
}

int mer_cpus_count(const uint64_t *cpus, int words) {
    int count = 0;
    for (int i = 0; i < words; i++)
        count += __builtin_popcountll(__atomic_load_n(&cpus[i], __ATOMIC_RELAXED));
    double quota = count;
    each_group("", "/sys/fs/cgroup", quota_v2, &quota);
    each_group("cpu", "/sys/fs/cgroup/cpu", quota_v1, &quota);
    count = (int)(quota + 0.5);
    return count < 1 ? 1 : count;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

struct available {
    uint64_t bytes;
    int limited;
};

/* Lower `available` to the limit of a group minus its use.  File pages that the group could drop do not count
 * as used. */
static void group_available(const char *dir, const char *limit_name, const char *used_name,
                            const char *inactive, struct available *available) {
    uint64_t limit, used;
    if (!read_number(dir, limit_name, &limit) || !read_number(dir, used_name, &used) || limit >= 1ULL << 62)
        return;
    char path[PATH_SIZE + 64], text[8192];
    snprintf(path, sizeof path, "%s/memory.stat", dir);
    if (mer_file_text(path, text, sizeof text)) {
        char *at = strstr(text, inactive);
        uint64_t droppable = at ? strtoull(at + strlen(inactive), NULL, 10) : 0;
        used = droppable < used ? used - droppable : 0;
    }
    uint64_t left = limit > used ? limit - used : 0;
    if (left < available->bytes)
        *available = (struct available){left, 1};
}

static void memory_v2(const char *dir, void *data) {
    group_available(dir, "memory.max", "memory.current", "inactive_file ", data);
}

static void memory_v1(const char *dir, void *data) {
    group_available(dir, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ", data);
}

static uint64_t meminfo(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

uint64_t mer_memory_available(int *limited) {
    struct available available = {UINT64_MAX, 0};
    char text[4096];
    if (mer_file_text("/proc/meminfo", text, sizeof text) && strstr(text, "MemAvailable:"))
        available.bytes = meminfo(text, "MemAvailable:") + meminfo(text, "SwapFree:");
    each_group("", "/sys/fs/cgroup", memory_v2, &available);
    each_group("memory", "/sys/fs/cgroup/memory", memory_v1, &available);
    *limited = available.limited;
    return available.bytes;
}

uint64_t mer_memory_committed(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 ? (uint64_t)st.st_blocks * 512 : 0;
}
