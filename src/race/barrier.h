// Barriers of blocks, warps and clusters, and mbarriers with asynchronous copies.
// Internal to race.
#ifndef WARPSAN_RACE_BARRIER_H
#define WARPSAN_RACE_BARRIER_H

#include "race/sync.h"

// barrier.c
void race_arrive(Race *race, const EmuWarp *warp, const EmuArrival *arrival);
void race_complete(Race *race, const EmuBlock *block, const EmuArrival *barrier);
void race_sync_warp(Race *race, const EmuWarp *warp);
void race_wait_cluster(Race *race, const EmuWarp *warp);
Cluster *race_cluster(Race *race, const EmuBlock *block); // made if it is not there
void race_release_barriers(Race *race, Block *block);

// async.c
void async_mbarrier(Race *race, const EmuWarp *warp, const EmuMbarrier *mbarrier);
void async_access(Race *race, const EmuWarp *warp, const EmuAccess *access);
void async_commit(Race *race, const EmuWarp *warp, EmuGroupKind kind);
void async_await(Race *race, const EmuWarp *warp, EmuGroupKind kind, uint32_t pending,
                 bool reads_only);
void async_bulk(Race *race, const EmuBulk *bulk);
void async_bulk_done(Race *race, const EmuBulk *bulk);
void async_proxy_fence(Race *race, const EmuWarp *warp, Proxy proxy, Sem sem);
void async_release(Race *race, Block *block);

// race.c: the number of an instruction's place in the program.
uint32_t race_place(const Block *block, const Instruction *instruction);
const Instruction *race_instruction(const Race *race, uint32_t info);
uint32_t race_info(uint32_t place, Scope scope, Proxy proxy, Bank bank, uint32_t size,
                   bool is_volatile);

#endif
