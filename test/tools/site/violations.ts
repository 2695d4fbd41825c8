import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { formsOf } from './page-forms.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly string[]
}

/** Forms that axe has found nothing in. */
const sound = {
  structure: new Set<number>(),
  looks: new Set<number>(),
  /** Of letters that it could not judge, or need not, as they stand: a single one, or those of a disabled button. */
  own: new Set<number>(),
}

const OPTIONS = {
  // It would fetch the style sheet, which the page's policy forbids.
  preload: false,
  // No page has a frame, and nobody reads selectors: half of its time.
  iframes: false,
  selectors: false,
  elementRef: true,
}
const COLOURS = ['color-contrast', 'link-in-text-block']
const WITHOUT_COLOURS = {
  ...OPTIONS,
  resultTypes: ['violations'],
  rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])),
}
const COLOURS_ALONE = { ...OPTIONS, runOnly: COLOURS }

const NAMED = `(violations) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))`

const judgeStructure = (page: Page): Promise<readonly Violation[]> =>
  page.evaluate(
    `axe.run(document, ${JSON.stringify(WITHOUT_COLOURS)}).then(({ violations }) => (${NAMED})(violations))`,
  )

interface JudgedLooks {
  readonly violations: readonly Violation[]
  readonly looks: readonly number[]
  readonly own: readonly number[]
}

/** Judges two elements of each structure whose letters look as none that passed. */
const judgeLooks = (page: Page): Promise<JudgedLooks> =>
  page.evaluate(`(async () => {
    const [looks, own] = [new Set(${JSON.stringify([...sound.looks])}), new Set(${JSON.stringify([...sound.own])})]
    const asked = new Map()
    for (const [element, forms] of elementForms)
      for (const each of forms.looks) {
        if (looks.has(each.look) || own.has(each.own)) continue
        asked.set(each.own, [...(asked.get(each.own) ?? []), element].slice(0, 2))
      }
    const told = await axe.run({ include: [...asked.values()].flat() }, ${JSON.stringify(COLOURS_ALONE)})
    const elementsOf = (results) => results.flatMap(({ nodes }) => nodes.map(({ element }) => element))
    const unsure = new Set(elementsOf(told.incomplete))
    const passed = elementsOf(told.passes.filter(({ id }) => id === 'color-contrast'))
    return {
      violations: (${NAMED})(told.violations),
      looks: passed.filter((each) => !unsure.has(each)).flatMap((each) => elementForms.get(each).looks.map(({ look }) => look)),
      own: [...asked.keys()],
    }
  })()`)

/**
 * Faults of accessibility that axe finds on a page as it stands, by WCAG 2.2 AA and axe's own best practices. It takes a
 * second on most pages, so it isn't run where all elements have forms that it found nothing in, on whatever page, at
 * whatever width and in whatever colours; and colours, which are more than half of it and judged element by element,
 * are looked at where looks are new alone.
 */
export const violations = async (page: Page): Promise<readonly string[]> => {
  const { structure, looks } = await formsOf(page)
  const hasNewStructure = structure.some((form) => !sound.structure.has(form))
  const hasNewLooks = looks.some(({ look, own }) => !sound.looks.has(look) && !sound.own.has(own))
  if (!hasNewStructure && !hasNewLooks) return []
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  const judged = hasNewLooks ? await judgeLooks(page) : { violations: [], looks: [], own: [] }
  const found = [...judged.violations, ...(hasNewStructure ? await judgeStructure(page) : [])]
  if (found.length === 0) {
    for (const form of structure) sound.structure.add(form)
    for (const look of judged.looks) sound.looks.add(look)
    for (const own of judged.own) sound.own.add(own)
  }
  return found.map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`)
}
