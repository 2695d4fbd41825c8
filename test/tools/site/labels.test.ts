import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeUpSite } from '../../bench/made-up-site.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { chromiumPath } from './chromium.ts'
import { sketchedHistory, sketchedJudges } from './judged.ts'
import { siteBrowser } from './site-browser.ts'

/** Of names that part from each other in two places. */
const ENDS = ['thinking', 'nothinking', 'preview', 'thinking-tools', 'tools', 'mini', 'x']

/** Models with names of a usual length, or of one long start, on eight benchmarks, with judges and an earlier release, so that every kind of figure is drawn. */
const suiteOf = (models: number): SiteSuite => {
  const made = madeUpSite({ models, benchmarks: 8, instances: 12 })
  const rows = made.board.rows.map((row, at) => ({
    ...row,
    label:
      models === 13
        ? `northwind-health/clinical-reasoner-${at % 2 === 0 ? 'large' : 'small'}-2026-01-01-${ENDS[at >> 1] ?? ''}`
        : `Claude ${row.label} Instruct (2026-01)`,
  }))
  // No page of a run has a figure.
  const suite = { ...made, board: { ...made.board, rows }, runs: [] }
  return { ...suite, judges: sketchedJudges(suite), history: sketchedHistory(suite) }
}

/** Texts of figures that lie on each other, or begin where nobody can scroll to. */
const TROUBLE = `(() => {
  const boxes = [...document.querySelectorAll('svg text')].flatMap((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect()
    const root = each.closest('.table-scroll, .figure-scroll, main')?.getBoundingClientRect()
    return right - left < 1 ? [] : [{ text: each.textContent, left, right, top: top + 2, bottom: bottom - 2, start: root?.left ?? 0 }]
  })
  const lain = boxes.flatMap((a, at) =>
    boxes.slice(at + 1)
      .filter((b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom && b.top < a.bottom)
      .map((b) => a.text + ' on ' + b.text))
  const cut = boxes.filter(({ left, start }) => left < start - 1).map(({ text }) => text + ' is cut')
  return [...lain, ...cut].slice(0, 8)
})()`

/** Names that show the same as another one, or not whole. */
const ALIKE = `(() => {
  const names = [...document.querySelectorAll('.board .model-name')]
  const cut = names.filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 2)
  const twice = (all) => all.map((each) => each.textContent).filter((text, at, texts) => texts.indexOf(text) !== at)
  return [...cut.map((each) => each.textContent), ...twice(names), ...twice([...document.querySelectorAll('#front .point text')])]
})()`

const LATER = (message: string) => ({ message, timeout: 10_000 })

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
for (const models of [9, 13, 100])
  describe.skipIf(chromiumPath === undefined)(`labels of figures with ${models} models`, () => {
    const { urls, folder, open } = siteBrowser(() => [suiteOf(models)])
    const drawn = (page: Page): Promise<unknown> => page.locator('svg text').first().waitFor()

    test('never lie on each other and are never cut, at any width', async () => {
      const benchmark = readdirSync(join(folder(), 'benchmarks')).find((name) => name.endsWith('.html'))
      const pages = ['index.html', 'figures.html', 'compare.html', 'judges.html', 'releases.html']
      for (const path of [...pages, `benchmarks/${benchmark ?? 'none'}`]) {
        const { page, faults, close } = await open(urls().disk + path)
        for (const width of models === 13 ? [320, 360, 768, 1280, 1920, 3840] : [320, 768, 1280, 3840]) {
          await page.setViewportSize({ width, height: 900 })
          await drawn(page)
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
          )
          // On a busy machine the figures of this width may come some frames later.
          for (const found of models === 13 ? [TROUBLE, ALIKE] : [TROUBLE])
            await expect.poll(() => page.evaluate(found), LATER(`${path} at ${width} px`)).toEqual([])
        }
        expect(faults).toEqual([])
        await close()
      }
    })
  })
