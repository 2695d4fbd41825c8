import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** Makes a folder's list of names durable: without it a new file may be gone after a power cut. */
export const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** `makeFolder`, to stay. */
export const makeSyncedFolder = (folder: string): void => {
  const first = makeFolder(folder)
  if (first !== undefined) syncFolder(dirname(first))
}
