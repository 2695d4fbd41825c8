import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAssets } from '../../tools/site/emit/assets.ts'
import { emitSite } from '../../tools/site/emit/emit.ts'
import { siteInputs } from '../../tools/site/emit/site-inputs.ts'
import { madeUpSite } from './made-up-site.ts'

// Emits a site of 500,000 instances (500 runs of 1,000), then again with nothing changed:
// `site.js [models] [benchmarks] [instances of a run]`.
const [models = 25, benchmarks = 20, instances = 1000] = process.argv.slice(2).map(Number)
const suites = [madeUpSite({ models, benchmarks, instances })]
const assets = await readAssets()
const folder = mkdtempSync(join(tmpdir(), 'medmake-site-'))
const emit = async (): Promise<string> => {
  const started = performance.now()
  await emitSite(folder, { suites, assets, inputs: siteInputs(suites, assets) })
  return ((performance.now() - started) / 1000).toFixed(1)
}
const first = await emit()
const again = await emit()
const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
const peak = (process.resourceUsage().maxRSS * 1024) / 1e6
process.stdout.write(
  `${first} s, ${peak.toFixed(0)} MB; again ${again} s; ${sizes.length} files, ${megabytes.toFixed(0)} MB on disk\n`,
)
if (process.env['MEDMAKE_KEEP'] === undefined) rmSync(folder, { recursive: true })
else process.stdout.write(`${folder}\n`)
