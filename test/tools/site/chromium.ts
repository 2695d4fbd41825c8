import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** Debian's shell of the same engine: without a browser's windows tests take a third less. */
const SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const firstOf = (places: readonly string[]): string | undefined =>
  [process.env['MEDMAKE_CHROMIUM'] ?? [], ...places].flat().find((path) => existsSync(path))

/** The machine's Chromium; MEDMAKE_CHROMIUM names another. Undefined where there is none. */
export const chromiumPath: string | undefined = firstOf([SHELL, ...WHOLE])

/** As readers have it, where it is there: for what is measured. */
export const wholeChromiumPath: string | undefined = firstOf([...WHOLE, SHELL])

/** A browser that asks nobody for anything by itself. */
export const launchChromium = (path = chromiumPath): Promise<Browser> =>
  chromium.launch({
    executablePath: path ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

let shared: Promise<Browser> | undefined

/**
 * One for all test files of a worker, which goes with it: a start takes as long as some files' tests. Whoever takes it
 * opens contexts of their own, and closes them.
 */
export const sharedChromium = (): Promise<Browser> => (shared ??= launchShared())

const launchShared = async (): Promise<Browser> => {
  const browser = await launchChromium()
  browser.on('disconnected', () => {
    shared = undefined
  })
  return browser
}
