import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Start of the class names of a workspace's own clients. */
export const WORKSPACE_CLIENTS = 'workspace.clients.'

const ENDINGS = ['.ts', '.js', '.mjs'] as const

/** Name of a workspace's client; undefined for any other class. */
export const clientName = (className: string): string | undefined =>
  className.startsWith(WORKSPACE_CLIENTS) ? className.slice(WORKSPACE_CLIENTS.length) : undefined

/** Its file; undefined where there is none. */
export const clientFile = (workspace: string, name: string): string | undefined =>
  /^[\w-]+$/.test(name)
    ? ENDINGS.map((ending) => join(workspace, 'models', 'clients', `${name}${ending}`)).find((file) =>
        existsSync(file),
      )
    : undefined
