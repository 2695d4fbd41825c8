import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The machine's Chromium; MEDMAKE_CHROMIUM names another. Undefined where there is none. */
export const chromiumPath: string | undefined = [process.env['MEDMAKE_CHROMIUM'] ?? [], ...PLACES]
  .flat()
  .find((path) => existsSync(path))

/** A browser that asks nobody for anything by itself. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
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
