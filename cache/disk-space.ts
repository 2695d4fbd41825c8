import { statfsSync } from 'node:fs'
import { diskFull, networkFolder } from './store-problems.ts'

/** Left free on the disk unless told otherwise, bytes. */
export const DEFAULT_RESERVE = 64 * 1024 * 1024

/** `f_type` of file systems on which memory maps and locks aren't shared between machines (Linux, statfs(2)). */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB2'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
])

/** Name of the network file system that a statfs type stands for, if it is one. */
export const networkFileSystem = (type: number): string | undefined => NETWORK_TYPES.get(type >>> 0)

/** @throws ProblemError `cache/network-folder` */
export const refuseNetworkFolder = (folder: string): void => {
  if (process.platform !== 'linux') return
  const kind = networkFileSystem(statfsSync(folder).type)
  if (kind !== undefined) throw networkFolder(folder, kind)
}

/** Bytes that this user may still write to the disk that holds `folder`. */
export const freeSpace = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/**
 * Refuses a write of `bytes` that would eat into the reserve. LMDB may abort the process on a full disk,
 * so it must never meet one.
 * @throws ProblemError `cache/disk-full`
 */
export const requireSpace = (folder: string, bytes: number, reserve: number): void => {
  const free = freeSpace(folder)
  if (free - bytes < reserve) throw diskFull(folder, free, reserve)
}
