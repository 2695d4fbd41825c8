import { open, type FileHandle } from 'node:fs/promises'

const BLOCK = 1 << 18

/** Whether two files hold the same bytes; false where there is no second one. Holds a block of each. */
export const haveSameContent = async (path: string, other: string): Promise<boolean> => {
  const two = await open(other).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (two === undefined) return false
  const one = await open(path)
  try {
    return (await one.stat()).size === (await two.stat()).size && (await sameBlocks(one, two))
  } finally {
    await one.close()
    await two.close()
  }
}

const sameBlocks = async (one: FileHandle, two: FileHandle): Promise<boolean> => {
  const [a, b] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)]
  for (let at = 0; ;) {
    const [{ bytesRead }] = await Promise.all([one.read(a, 0, BLOCK, at), two.read(b, 0, BLOCK, at)])
    if (!a.equals(b)) return false
    if (bytesRead === 0) return true
    at += bytesRead
  }
}
