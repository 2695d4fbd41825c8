import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFiles } from '../rig/workspace.ts'

/** Stage results that a rerun executes, and the calls that reach the server. What is left out is none. */
export interface Work {
  readonly instances?: number
  readonly prompts?: number
  readonly completions?: number
  readonly annotations?: number
  readonly metrics?: number
  readonly calls?: number
}

/** A change to a built workspace and what running again has to do. */
export interface Edit {
  readonly about: string
  /** Gives the flags of the rerun, if any. */
  readonly apply: (root: string) => readonly string[] | void
  readonly work: Work
  /** Of the rerun: folder within the workspace, environment. */
  readonly from?: { readonly folder?: string; readonly env?: Readonly<Record<string, string>> }
  /** Why so much, where it does not go without saying. */
  readonly why?: string
}

/** Replaces a piece of a workspace's file; it has to be there. */
export const replace = (root: string, path: string, before: string, after: string): void => {
  const text = readFileSync(join(root, path), 'utf8')
  if (!text.includes(before)) throw new Error(`${path} holds no ${JSON.stringify(before)}`)
  writeFiles(root, { [path]: text.replaceAll(before, after) })
}
