import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMadeUp } from './read.ts'

/**
 * The real paths of all files below a folder, or of the file itself. Links are followed and each folder is looked into
 * once: by Node's own recursion two links to a folder above them lead on without end. What may not be read, or is gone, is
 * left out: whoever reads it says what is wrong with it.
 */
export const filesBelow = (folder: string): readonly string[] => {
  const seen = new Set<string>()
  const files = new Set<string>()
  const waiting = [folder]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    try {
      const real = realpathSync(place)
      const stats = statSync(real)
      if (stats.isFile()) files.add(real)
      if (!stats.isDirectory() || seen.has(real) || isMadeUp(real)) continue
      seen.add(real)
      waiting.push(...readdirSync(real).map((name) => join(real, name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    }
  }
  return [...files]
}
