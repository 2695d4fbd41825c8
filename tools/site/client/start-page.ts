import { receiveChunks } from './chunks.ts'
import { offerDownloads } from './downloads.ts'

/** Brings a part of a page to life. A rejection leaves it as it was written: what needs data must say what is missing. */
export type StartApp = (root: HTMLElement) => void | Promise<void>

/** Brings a page to life. @param apps what `data-app` names */
export const startPage = (apps: Readonly<Record<string, StartApp>>): void => {
  receiveChunks()
  followSkipLink()
  offerDownloads()
  for (const root of document.querySelectorAll<HTMLElement>('[data-app]'))
    Promise.resolve(apps[root.dataset['app'] ?? '']?.(root)).catch((error: unknown) => {
      console.error(error)
      tellAbove(root, error)
    })
}

/** What the page holds without a script stays. */
const tellAbove = (root: HTMLElement, error: unknown): void => {
  const line = document.createElement('p')
  line.className = 'warning'
  line.setAttribute('role', 'alert')
  line.textContent = `Nothing can be chosen here: ${error instanceof Error ? error.message : String(error)}.`
  root.before(line)
}

/** Moves the focus without touching the address: its fragment is where pages keep their state. */
const followSkipLink = (): void => {
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  })
}
