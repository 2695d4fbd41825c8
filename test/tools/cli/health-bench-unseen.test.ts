import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { close, run, valuesOf, workspaceOf, type Example } from '../../rig/health-bench.ts'

const CASES = Number(process.env['MEDMAKE_HEALTH_BENCH_CASES'] ?? 150)

/** Numbers from 0 to 1 that are the same each time. */
const seeded = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const TEXTS = [
  'Fever?',
  'žluťoučký kůň',
  '熱がある',
  '"quoted" \\ back',
  'a\nb\u2028c',
  '<<rubric_item>>',
  '😷 {x} %s $',
]
const POINTS = [-10, -8, -3.5, -1, 0, 0.1, 0.2, 1, 3, 5, 10]
const TAGS = ['axis:accuracy', 'axis:context', 'level:example', 'theme:both', 'ü']

/** Replies that say yes or no. */
const READ = (met: boolean): readonly string[] => [
  `{"explanation": "x", "criteria_met": ${met}}`,
  `\`\`\`json\n{"criteria_met": ${met}}\n\`\`\``,
  `  {"criteria_met": ${!met}, "criteria_met": ${met}, "n": NaN}\n`,
  `{"explanation": "}\\u007d {", "criteria_met": ${met}}`,
]
/** Replies for which the grader is asked again. */
const UNREAD = [
  'Yes, it does: {"criteria_met": true}',
  '{"criteria_met": "true"}',
  '{"criteria_met": 1}',
  '{"criteria_met": null}',
  '{"explanation": "no verdict"}',
  '{"criteria_met": true',
  '```\n{"criteria_met": true}\n```',
  '',
]

const made = (count: number): readonly Example[] => {
  const random = seeded(7)
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const some = <T>(all: readonly T[], most: number): readonly T[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => one(all))
  const once = <T>(all: readonly T[], most: number): readonly T[] => [...new Set(some(all, most))]
  return Array.from({ length: count }, (_, index) => {
    const kind = random()
    const rubrics = Array.from({ length: 1 + Math.floor(random() * 6) }, (_each, item) => {
      // Some have nothing but what an answer should not do.
      const points = kind < 0.04 ? -1 - item : one(POINTS)
      const tags = random() < 0.1 ? {} : { tags: once(TAGS, 3) }
      return { criterion: `${one(TEXTS)} ${item}`, points, ...tags }
    })
    return {
      // Ids come twice.
      prompt_id: `p${Math.floor(index / 2)}`,
      example_tags: once(['theme:a', 'theme:both', 'category:ž'], 2),
      prompt: [
        ...(random() < 0.2 ? [{ role: 'system', content: one(TEXTS) }] : []),
        ...Array.from({ length: 2 * Math.floor(random() * 3) }, (_each, turn) => ({
          role: turn % 2 === 0 ? 'user' : 'assistant',
          content: one(TEXTS),
        })),
        { role: 'user', content: `${one(TEXTS)} ${index}` },
      ],
      rubrics,
      completion: `${one(TEXTS)} answer ${index}`,
      replies: rubrics.map(() => [...some(UNREAD, 3), one(READ(random() < 0.5))]),
    }
  })
}

type Item = readonly [points: number, met: boolean]

/** The published rules, by hand: points met over points above 0. */
const scoreOf = (items: readonly Item[]): number | undefined => {
  const sum = (all: readonly Item[]): number => all.reduce((total, [points]) => total + points, 0)
  const possible = sum(items.filter(([points]) => points > 0))
  return possible === 0 ? undefined : sum(items.filter(([, met]) => met)) / possible
}

const scoresOf = ({
  rubrics,
  replies,
  example_tags: themes,
}: Example): ReadonlyMap<string, number> | undefined => {
  const items = rubrics.map(({ points }, at): Item => {
    const verdicts = [...(replies[at]?.at(-1) ?? '').matchAll(/"criteria_met": (true|false)/g)]
    return [points, verdicts.at(-1)?.[1] === 'true']
  })
  const overall = scoreOf(items)
  if (overall === undefined) return undefined
  const scores = new Map([['overall_score', overall], ...themes.map((tag) => [tag, overall] as const)])
  for (const tag of TAGS) {
    const own = items.filter((_, at) => (rubrics[at]?.tags as readonly string[] | undefined)?.includes(tag))
    const score = scoreOf(own)
    if (own.length > 0 && score !== undefined) scores.set(tag, score)
  }
  return scores
}

test('made-up chats score as the published rules say, and those without points are told and not scored', async () => {
  const examples = made(CASES)
  const dump = process.env['MEDMAKE_HEALTH_BENCH_DUMP']
  if (dump !== undefined) writeFileSync(dump, examples.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const { cwd, server } = await workspaceOf(examples)
  const { stdout, stderr } = await run(cwd, undefined, '-m', String(CASES), '--allow-failures', '--json')
  const values = valuesOf(cwd)
  let unscored = 0
  for (const [index, example] of examples.entries()) {
    const wanted = scoresOf(example)
    const own = values.get(String(index))
    if (wanted === undefined) {
      unscored += 1
      expect([index, own?.get('overall_score')]).toEqual([index, undefined])
      continue
    }
    for (const [name, score] of wanted) close(own?.get(name), score)
    for (const tag of TAGS) expect([index, tag, own?.has(tag)]).toEqual([index, tag, wanted.has(tag)])
  }
  expect(unscored).toBeGreaterThan(0)
  const { causes } = JSON.parse(stdout) as {
    readonly causes: Readonly<Record<string, Record<string, number>>>
  }
  expect(Object.values(causes)[0]?.['not-measured'], stderr).toBe(unscored)
  // Each item until its first reply that can be read, and nothing where there is nothing to earn.
  const asked = examples.flatMap((example) => (scoresOf(example) === undefined ? [] : example.replies.flat()))
  expect(server.journal().requests).toBe(CASES + asked.length)
})

test.each([
  ['an item under another name', { criterion_text: 'Asks', points: 1 }, 'without the text of its criterion'],
  ['points as a text', { criterion: 'Asks', points: '5' }, 'without a number of points'],
  ['no points', { criterion: 'Asks' }, 'without a number of points'],
  [
    'a tag that is named twice',
    { criterion: 'Asks', points: 1, tags: ['axis:a', 'axis:b', 'axis:a'] },
    'has a rubric whose item 1 names a tag twice',
  ],
  ['tags that are a text', { criterion: 'Asks', points: 1, tags: 'axis' }, 'whose tags are no list of texts'],
])('%s is refused with its row, and nobody is asked', async (_, item, message) => {
  const [first, second] = made(2)
  if (first === undefined || second === undefined) throw new RangeError('two are made')
  const bad = { ...second, rubrics: [item as unknown as Example['rubrics'][number]], replies: [[]] }
  const { cwd, server } = await workspaceOf([first, bad])
  const { code, stderr } = await run(cwd)
  expect(code).toBe(2)
  expect(stderr).toContain('row 2')
  expect(stderr).toContain(message)
  expect(server.journal().requests).toBe(0)
})

test('an example that names its own tag twice is a row that can be left out, and medhelm 0.8.0 does not mind it', async () => {
  const [first, second] = made(2)
  if (first === undefined || second === undefined) throw new RangeError('two are made')
  const { cwd } = await workspaceOf([{ ...first, example_tags: ['theme:a', 'theme:a'] }, second])
  const refused = await run(cwd)
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('row 1 names an example tag twice')
  const left = await run(cwd, undefined, '--skip-bad-rows', '--allow-failures')
  expect(left.code, left.stderr).toBe(0)
  expect([...valuesOf(cwd).keys()]).toEqual(['1'])
  const fork = await run(cwd, undefined, '--profile', 'medhelm-0.8', '--dry-run')
  expect(fork.stderr).not.toContain('tag twice')
})
