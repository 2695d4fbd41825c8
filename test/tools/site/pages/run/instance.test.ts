import { readFileSync } from 'node:fs'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { Pair, type Side } from '../../../../../tools/site/pages/compare/pair.tsx'
import { Instance } from '../../../../../tools/site/pages/run/instances/instance.tsx'
import type { InstanceView } from '../../../../../tools/site/pages/run/instances/instance-view.ts'
import { shownText, tableOf } from '../../page-text.ts'

const load = (): Promise<unknown> => Promise.reject(new Error('nothing is cut'))

const judge = (name: string, scores: Readonly<Record<string, string>>) => ({
  name,
  scores: Object.entries(scores).map(([criterion, score]) => ({ criterion, score, explanation: '' })),
})

const viewOf = (more: Partial<InstanceView> = {}): InstanceView => ({
  id: 'i1',
  trial: 0,
  split: 'test',
  prompt: `${'Long ago. '.repeat(20)}Which drug is stopped?`,
  references: [
    { text: 'The drug warfarin was stopped', correct: true },
    { text: 'aspirin', correct: false },
  ],
  completions: ['The drug heparin was stopped'],
  judges: [],
  annotations: [],
  metrics: [
    ['bleu', 0.5],
    ['main', 0.25],
  ],
  ...more,
})

describe('an instance of a run', () => {
  const html = (more: Partial<InstanceView> = {}, jury: readonly string[] = []) =>
    renderToString(
      h(Instance, {
        instance: viewOf(more),
        href: '#',
        about: { mainMetric: 'main', label: 'Main', names: {}, jury },
        load,
      }),
    )

  test('has its main score, or that it has none, and which trial it is', () => {
    expect(shownText(html())).toContain('i1 test Main 0.250')
    expect(shownText(html({ trial: 1 }))).toContain('i1 test, trial 2 Main')
    expect(shownText(html({ metrics: [['bleu', 0.5]] }))).toContain('Main: no value')
  })

  test('has scores by criterion and judge, and a mark where a judge’s reply is missing or lacks one', () => {
    const judges = [judge('x', { tone: '4', facts: '2' }), judge('z', { facts: '5' })]
    expect(tableOf(html({ judges }, ['x', 'y', 'z']), 'Judges').rows).toEqual([
      ['tone', '4 , x on tone: why', '? could not be read', '? could not be read'],
      ['facts', '2 , x on facts: why', '? could not be read', '5 , z on facts: why'],
    ])
    expect(html({}, ['x'])).not.toContain('aria-label="Judges"')
  })

  test('marks in the answer what the correct reference lacks, and in that what the answer lacks', () => {
    const page = html()
    expect([...page.matchAll(/<(del|ins)>([^<]*)</g)].map(([, mark, text]) => [mark, text])).toEqual([
      ['del', 'heparin'],
      ['ins', 'warfarin'],
    ])
    expect(shownText(page)).toContain('Struck: only in the answer; underlined: only in the reference.')
    // A choice is no text to compare.
    expect(html({ mapped: 'aspirin' })).not.toContain('<del>')
  })
})

describe('an instance of two runs', () => {
  const side = (label: string, more: Partial<InstanceView> = {}): Side => ({
    label,
    view: viewOf(more),
    load,
    href: `${label}.html`,
  })
  const html = (a: Side, b: Side, values: readonly [number, number] = [0.25, 1]) =>
    renderToString(
      h(Pair, { row: { id: 'i1', a: values[0], b: values[1], rowA: 0, rowB: 0 }, id: 'x', href: '#', a, b }),
    )

  test('says how far B is above A, and each side’s own value', () => {
    const text = shownText(html(side('One'), side('Two')))
    expect(text).toContain('B − A +0.750')
    expect(text).toMatch(/A: One 0\.250 .*B: Two 1\.000/)
    const open = shownText(html(side('One'), side('Two'), [0.25, NaN]))
    expect(open).toContain('not measured on both sides')
    expect(open).toMatch(/B: Two not measured/)
  })

  test('shows the end of a prompt that both had, once, and each one’s own where they differ', () => {
    const same = shownText(html(side('One'), side('Two')))
    expect(same.match(/Which drug is stopped\?/g)).toHaveLength(2)
    expect(same).toContain('… ')
    expect(same).toMatch(/Prompt … .{118}Which drug is stopped\? Long ago/)
    const apart = shownText(html(side('One'), side('Two', { prompt: 'Another question' })))
    expect(apart.match(/Its prompt/g)).toHaveLength(2)
    expect(apart).toContain('Its prompt Another question Another question')
  })

  test('strikes what only A says and underlines what only B says', () => {
    const marks = (page: string) =>
      [...page.matchAll(/<(del|ins)>([^<]*)</g)].map(([, mark, text]) => [mark, text])
    const page = html(side('One'), side('Two', { completions: ['The drug warfarin was stopped'] }))
    expect(marks(page)).toEqual([
      ['del', 'heparin'],
      ['ins', 'warfarin'],
    ])
    expect(shownText(html(side('One'), side('Two')))).toContain('The answers are the same.')
    const far = html(side('One'), side('Two', { completions: ['No'] }))
    expect(marks(far)).toEqual([])
    expect(shownText(far)).not.toContain('share too little')
    const [long, other] = ['alpha beta gamma delta '.repeat(5), 'one two three four five '.repeat(5)]
    expect(
      shownText(html(side('One', { completions: [long] }), side('Two', { completions: [other] }))),
    ).toContain('The answers share too little for marks.')
  })

  test('has the judges of both, each side with those that the other had', () => {
    const page = html(
      side('One', { judges: [judge('x', { tone: '4' })] }),
      side('Two', { judges: [judge('y', { tone: '2' })] }),
    )
    expect(tableOf(page, 'Judges of One on i1')).toMatchObject({ head: ['Criterion', 'x', 'y'] })
    expect(tableOf(page, 'Judges of Two on i1').rows).toEqual([
      ['tone', '? could not be read', '2 , y on tone: why'],
    ])
  })
})

test('what was chosen has the colour of a right answer where it is one, and nowhere else', () => {
  const sheet = readFileSync('tools/site/pages/run/instances.css', 'utf8')
  const coloured = [...sheet.matchAll(/([^{}]*\.tag[^{}]*)\{([^}]*)\}/g)].filter(([, , rules = '']) =>
    rules.includes('--correct'),
  )
  expect(coloured.map(([, selector = '']) => selector.trim().split('\n').at(-1))).toEqual(['.correct .tag'])
})
