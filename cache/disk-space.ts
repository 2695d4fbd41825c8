import { readFileSync, realpathSync, statfsSync } from 'node:fs'
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

const FUSE = 0x65735546
/** File systems in user space that are known to be this machine's alone. */
const LOCAL_FUSE: ReadonlySet<string> = new Set(['fuseblk', 'fuse.fuse-overlayfs', 'fuse.ntfs-3g'])

/**
 * Name of the file system in user space that holds `path`, by the lines of /proc/self/mountinfo, unless it is known to
 * be local: what serves the others (sshfs, buckets, a host's folders in a virtual machine) may serve others as well.
 */
export const sharedFuse = (path: string, mountinfo: string): string | undefined => {
  const mounts = mountinfo.split('\n').flatMap((line) => {
    const fields = line.split(' ')
    const point = fields[4]?.replaceAll(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(parseInt(code, 8)),
    )
    const kind = fields[fields.indexOf('-') + 1]
    return point === undefined || kind === undefined ? [] : [{ point, kind }]
  })
  const within = ({ point }: { readonly point: string }): boolean =>
    path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`)
  // Of mounts on one point the last is seen.
  const found = mounts
    .filter(within)
    .sort((a, b) => a.point.length - b.point.length)
    .at(-1)
  const kind = found?.kind ?? 'fuse'
  return LOCAL_FUSE.has(kind) ? undefined : kind
}

const kindOf = (folder: string): string | undefined => {
  const type = statfsSync(folder).type
  if (type !== FUSE) return networkFileSystem(type)
  return sharedFuse(realpathSync(folder), readFileSync('/proc/self/mountinfo', 'utf8'))
}

/** @throws ProblemError `cache/network-folder` */
export const refuseNetworkFolder = (folder: string): void => {
  if (process.platform !== 'linux') return
  const kind = kindOf(folder)
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
