import { digestOf } from '../../../cache/values/digest.ts'
import type { Words } from './threefry.ts'

/** The key of everything drawn under a name. */
export const randomKey = (name: string): Words => {
  const digest = digestOf(name)
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)]
}
