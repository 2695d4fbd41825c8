import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestJson } from '../../../../cache/values/digest.ts'
import { openRunFolder, writeRun } from '../../../../tools/helm/write/write-run.ts'
import { bundleReadme } from '../../../../tools/release/bundle/bundle-readme.ts'
import { cardProblems, namesProblems } from '../../../../tools/release/bundle/compare-names.ts'
import { isPrimary } from '../../../../tools/release/remake.ts'
import { releaseNotes } from '../../../../tools/release/release-about.ts'
import {
  printRelease,
  readRelease,
  RELEASE_FILE,
  type Release,
} from '../../../../tools/release/release-file.ts'
import { runPath, type RunCard } from '../../../../tools/release/run-card.ts'
import { problemOf } from '../../../rig/problem-of.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { sampleRun } from '../../helm/sample-run.ts'
import { madeUpCard, WITHHELD } from '../made-up-card.ts'

const RUN: Release['runs'][number] = {
  suite: 's',
  name: 'sums:model=a_b',
  model: 'a/b',
  deployment: 'a/b',
  modelString: 'b',
  served: ['b-1'],
  judges: [],
  corrected: [],
  target: 't1',
}
const SUMS = { name: 'sums', access: 'public', identity: { data: 'd1' }, judgePrompt: null }

const RELEASE: Release = {
  format: 1,
  release: 'r',
  version: '1.0.0',
  profile: 'helm-0.5.16',
  suites: ['s'],
  date: '2026-01-01',
  models: [],
  datasets: [],
  errata: [{ benchmark: 'sums', id: 'e1', about: 'One is wrong.' }],
  includedText: [],
  benchmarks: [SUMS],
  runs: [RUN],
  withheld: [{ suite: 's', run: 'ward:model=a_b', ...WITHHELD }],
  files: [{ path: 'records/s/x.json', size: 2, sha256: 'f1' }],
}

describe('release.json', () => {
  const messages = (change: Partial<Release>): readonly string[] =>
    namesProblems({ ...RELEASE, ...change }, RELEASE).map(({ message }) =>
      message.replace(/^release.json: /, ''),
    )

  test('is believed where it tells what the records do, by field where it does not.', () => {
    expect(messages({})).toEqual([])
    expect(messages({ runs: [{ ...RUN, served: [], usd: 1 }] })).toEqual([
      'runs[0] is not what the records say: served, usd',
    ])
    const more = { ...RELEASE, runs: [{ ...RUN, juryUsd: 1 }] }
    expect(namesProblems(RELEASE, more)).toMatchObject([{ where: { field: 'runs[0]' } }])
    expect(messages({ benchmarks: [{ ...SUMS, identity: {} }] })).toEqual([
      'benchmarks[0] is not what the records say: identity',
    ])
    expect(messages({ withheld: [], runs: [RUN, RUN] })).toEqual([
      'runs[1] is not what the records say: there is no such record',
      'withheld[0] is not what the records say: it is missing',
    ])
  })

  test('is read as it was printed, and no other byte of it.', async () => {
    const bundle = temporaryFolder()
    const file = join(bundle, RELEASE_FILE)
    const codeOf = async (text: string): Promise<string | undefined> => {
      writeFileSync(file, text)
      return (await problemOf(() => readRelease(bundle)))?.code
    }
    expect(await problemOf(() => readRelease(bundle))).toMatchObject({
      code: 'release/missing',
      where: { file },
    })
    const { text, digest } = printRelease(RELEASE)
    writeFileSync(file, text)
    expect(await readRelease(bundle)).toEqual({ ...RELEASE, digest })
    for (const [from, to] of [
      ['"b-1"', '"b-2"'],
      [`"${digest}"`, `"${'0'.repeat(64)}"`],
      ['{', '{ '],
      ['"format": 1', '"format": 2'],
      ['records/s', 'records/..'],
      ['records/s', '/records'],
      ['records/s', 'records/./s'],
      ['records/s', 'records//s'],
      ['}', ''],
    ] as const)
      expect(await codeOf(text.replace(from, to)), to).toBe('release/damaged')
    for (const path of ['../x', 'a/./x', 'a//x', '/x', 'a\\x', 'a\0x', '']) {
      const files = [{ path, size: 1, sha256: 'f1' }]
      expect(() => printRelease({ ...RELEASE, files }), path).toThrow()
    }
    expect(() => printRelease({ ...RELEASE, format: 2 } as unknown as Release)).toThrow()
    for (const odd of ['..', '.', 'a/b', 'a\\b']) {
      expect(() => printRelease({ ...RELEASE, release: odd }), odd).toThrow()
      expect(() => printRelease({ ...RELEASE, suites: [odd] }), odd).toThrow()
    }
  })
})

describe('A record', () => {
  const own = sampleRun().runSpec.name
  const named = madeUpCard({ name: own, target: { digest: digestJson<'target'>({ k: 1 }), key: { k: 1 } } })
  const problemsOf = async (more: Partial<RunCard>): Promise<readonly string[]> => {
    const card = { ...named, ...more }
    const bundle = temporaryFolder()
    const folder = await openRunFolder(join(bundle, runPath(card.suite, card.name)), { access: 'public' })
    await writeRun(folder, sampleRun())
    return (await cardProblems(bundle, [card])).map(({ where }) => where?.field ?? '')
  }

  test('is believed where its run says the same of its name, model, deployment and key.', async () => {
    expect(await problemsOf({})).toEqual([])
    expect(await problemsOf({ name: 'other' })).toEqual(['name'])
    expect(await problemsOf({ model: 'c/d' })).toEqual(['model'])
    expect(await problemsOf({ deployment: { ...named.deployment, deployment: 'c/d' } })).toEqual([
      'deployment',
    ])
    expect(await problemsOf({ target: { ...named.target, key: {} } })).toEqual(['digest'])
    expect(await problemsOf({ target: { ...named.target, key: {} }, withheld: WITHHELD })).toEqual([])
  })
})

test.each([
  ['schema.yaml', true],
  ['ranking.json', true],
  ['ratings/ratings.jsonl', true],
  ['records/s/x.json', true],
  ['replies/s/x.jsonl', true],
  ['benchmark_output/runs/s/x/stats.json', true],
  ['benchmark_output/runs/s/x/display_requests.json', false],
  ['benchmark_output/releases/r/stats.json', false],
  ['site/records/x.json', false],
  ['site/ranking.json', false],
  ['README.md', false],
  ['release.json', false],
])('Whether others are computed from %s is %s.', (path, isFirst) => {
  expect(isPrimary(path)).toBe(isFirst)
})

describe('What a bundle and its site say of a release', () => {
  const { benchmark } = madeUpCard()
  const cards = [
    madeUpCard({}, { imported: { answers: 3, judgements: 4 }, served: ['b-1'] }),
    madeUpCard({
      name: 'again',
      benchmark: { ...benchmark, errata: { corrected: ['e1'], uncorrected: [] } },
    }),
    madeUpCard({ name: 'protocol', benchmark: { ...benchmark, identity: { errata: ['e1'] } } }),
    madeUpCard({
      name: 'ward',
      model: 'c/d',
      benchmark: { ...benchmark, name: 'ward', errata: { corrected: ['e1'], uncorrected: [] } },
      withheld: { ...WITHHELD, reason: 'ward is private' },
    }),
  ]

  test('counts runs, models and benchmarks, and names what is withheld and imported.', () => {
    const text = bundleReadme(RELEASE, cards)
    expect(text).toContain('4 runs of 2 models on 2 benchmarks (suites: s).')
    expect(text).toContain('Newest model call: 2026-01-01.')
    // Embedded models and those of this process are asked without a server.
    expect(bundleReadme({ ...RELEASE, date: '1970-01-01' }, cards)).toContain('Newest model call: none.')
    expect(text.match(/^- s: .*$/gm)).toEqual([
      '- s: ward (ward is private)',
      `- s: ${cards[0]?.name} (3 answers, 4 judgements)`,
    ])
    expect(bundleReadme(RELEASE, [madeUpCard()])).not.toMatch(/## (?:Withheld|Imported)/)
  })

  test('tells each benchmark once, and of an erratum how many of its runs put it right.', () => {
    const notes = releaseNotes(RELEASE, cards)
    expect(notes.benchmarks.map(({ name }) => name)).toEqual(['sums', 'sums', 'ward'])
    expect(notes.errata).toEqual([{ ...RELEASE.errata[0], corrected: 2, runs: 3 }])
    expect(notes.withheld).toEqual([{ run: 'ward', reason: 'ward is private', suppressedStats: 2 }])
    expect(notes.runs.map(({ imported, served, target }) => [imported?.answers, served, target])).toEqual([
      [3, ['b-1'], 't1'],
      [undefined, [], 't1'],
      [undefined, [], 't1'],
      [undefined, [], 't1'],
    ])
  })

  test('has its prints in one order of fields, whatever order they are given in.', () => {
    const turned = Object.fromEntries(Object.entries(RELEASE).toReversed()) as unknown as Release
    expect(printRelease(turned)).toEqual(printRelease(RELEASE))
    expect(printRelease({ ...RELEASE, date: '2026-01-02' }).digest).not.toBe(printRelease(RELEASE).digest)
  })
})
