// `npm run screenshots`: makes the README's pictures anew, of the demo suite, with the dist that is there.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const folder = mkdtempSync(join(tmpdir(), 'medmake-screenshots-'))
const site = join(folder, 'site')
const flags = ['demo', '--store', join(folder, 'store'), '--output-path', join(folder, 'output')]
const medmake = (...args) => execFileSync(process.execPath, ['dist/medmake.js', ...args], { stdio: 'ignore' })
medmake('run', ...flags)
medmake('report', ...flags, '--site', site)
const run = readdirSync(join(site, 'runs')).find((name) => /summaries.*lead.*\.html$/.test(name))
const browser = await chromium.launch({
  executablePath: process.env.MEDMAKE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 1200, height: 760 } })
for (const [name, path, ready] of [
  ['board', 'index.html', '.status'],
  ['run', `runs/${run}`, '.instance'],
  ['figures', 'figures.html', 'svg.drawing'],
]) {
  await page.goto(pathToFileURL(join(site, path)).href)
  await page.locator(ready).first().waitFor()
  if (name === 'run') await page.locator('#instances').evaluate((heading) => heading.scrollIntoView())
  if (name === 'figures')
    await page
      .locator('figure')
      .first()
      .evaluate((figure) => figure.scrollIntoView())
  await page.screenshot({ path: `tools/site/images/${name}.png` })
}
await browser.close()
rmSync(folder, { recursive: true })
