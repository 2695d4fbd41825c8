// `npm run screenshots`: makes the README's pictures anew with the dist that is there: the board of a made-up one, as
// the demo suite's fits a corner of the screen; the others of the demo suite.
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'

const folder = mkdtempSync(join(tmpdir(), 'medmake-screenshots-'))
const site = join(folder, 'site')
const flags = ['demo', '--store', join(folder, 'store'), '--output-path', join(folder, 'output')]
const medmake = (...args) => execFileSync(process.execPath, ['dist/medmake.js', ...args], { stdio: 'ignore' })
medmake('run', ...flags)
medmake('report', ...flags, '--site', site)
const run = readdirSync(join(site, 'runs')).find((name) => /summaries.*lead.*\.html$/.test(name))
const browser = await chromium.launch({
  executablePath:
    process.env.MEDMAKE_CHROMIUM ??
    ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find((path) => existsSync(path)),
  args: ['--no-sandbox', '--disable-gpu'],
})
const madeUp = join(folder, 'made-up')
const emitter = resolve('node_modules/.cache/medmake-bench/made-up-board.mjs')
await build({
  stdin: {
    contents: `
      import { picturedBoard } from './test/bench/pictured-board.ts'
      import { readAssets } from './tools/site/emit/assets.ts'
      import { emitSite } from './tools/site/emit/emit.ts'
      import { siteInputs } from './tools/site/emit/site-inputs.ts'
      const suites = [{ board: picturedBoard(), runs: [] }]
      const assets = await readAssets()
      await emitSite(process.argv[2], { suites, assets, inputs: siteInputs(suites, assets) })`,
    resolveDir: '.',
    loader: 'ts',
  },
  outfile: emitter,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
})
execFileSync(process.execPath, [emitter, madeUp], { stdio: 'inherit' })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
await page.goto(pathToFileURL(join(madeUp, 'index.html')).href)
await page.locator('.status').first().waitFor()
for (const colorScheme of ['dark', 'light']) {
  await page.emulateMedia({ colorScheme })
  await page.screenshot({ path: `tools/site/images/board${colorScheme === 'dark' ? '-dark' : ''}.png` })
}
await page.setViewportSize({ width: 1200, height: 760 })
for (const [name, path, ready] of [
  ['run', `runs/${run}`, '.instance'],
  ['figures', 'figures.html', '.controls'],
]) {
  await page.goto(pathToFileURL(join(site, path)).href)
  await page.locator(ready).first().waitFor()
  if (name === 'run') await page.locator('#instances').evaluate((heading) => heading.scrollIntoView())
  if (name === 'figures')
    await page
      .locator('#categories')
      .first()
      .evaluate((figure) => figure.scrollIntoView())
  await page.screenshot({ path: `tools/site/images/${name}.png` })
}

// The rating desk, in a workspace of its own: a plan is written beside the suites.
const workspace = join(folder, 'rated')
mkdirSync(join(workspace, 'targets'), { recursive: true })
writeFileSync(join(workspace, 'medmake.yaml'), '')
copyFileSync('targets/demo.conf', join(workspace, 'targets/demo.conf'))
const store = ['--store', join(folder, 'store')]
const inWorkspace = { cwd: workspace, stdio: 'ignore' }
const program = resolve('dist/medmake.js')
execFileSync(
  process.execPath,
  [program, 'rate', 'plan', 'demo', '--raters', 'ann', '--practice', '0', ...store],
  inWorkspace,
)
const desk = spawn(process.execPath, [program, 'rate', 'serve', '--port', '0', ...store], { cwd: workspace })
const link = await new Promise((found) => {
  desk.stdout.on('data', (chunk) => {
    const [address] = /http:\S+/.exec(String(chunk)) ?? []
    if (address !== undefined) found(address)
  })
})
await page.goto(link)
await page.locator('form').waitFor()
for (const key of ['4', '3']) await page.keyboard.press(key)
await page.screenshot({ path: 'tools/site/images/desk.png' })
desk.kill()
await browser.close()
rmSync(folder, { recursive: true })
