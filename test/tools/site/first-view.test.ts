import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { madeUpBoard } from '../../bench/made-up-board.ts'
import { readAssets } from '../../../tools/site/emit/assets.ts'
import { emitSite } from '../../../tools/site/emit/emit.ts'
import { siteInputs } from '../../../tools/site/emit/site-inputs.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

/** Of everything that the page needs before its table can be sorted. */
const FIRST_VIEW_BYTES = 200 * 1024

describe('the first view of 100 models on 40 benchmarks', () => {
  test('takes no more than 200 KB, compressed', async () => {
    const folder = temporaryFolder()
    const suites = [{ board: madeUpBoard({ models: 100, benchmarks: 40 }), runs: [] }]
    const assets = await readAssets()
    await emitSite(folder, { suites, assets, inputs: siteInputs(suites, assets) })
    const index = readFileSync(join(folder, 'index.html'), 'utf8')
    const data = /data-chunk="([^"]+)"/.exec(index)?.[1] ?? ''
    const loaded = [...index.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '')
    const needed = ['index.html', ...loaded, `data/${data}.js`]
    expect(needed.toSorted()).toEqual([
      'assets/board.css',
      'assets/board.js',
      `data/${data}.js`,
      'index.html',
    ])
    const sizes = needed.map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FIRST_VIEW_BYTES)
    expect(index.match(/<td class="score/g)?.length).toBe(100 * 40)
  })
})
