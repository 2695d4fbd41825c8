import { describe, expect, it } from 'vitest'
import type { Agreement } from '../../../targets/jury/study/agreement.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const paper = shared('published/clinician-and-jury-ratings-medi_qa.csv')

/** What `agreement` says of the one benchmark. */
const agreementOf = async (args: readonly string[], cwd: string): Promise<Agreement | undefined> => {
  const { code, stdout, stderr } = await medmake(['agreement', ...args, '--json'], { cwd })
  expect(code, stderr).toBe(0)
  return (JSON.parse(stdout) as { readonly agreement: readonly Agreement[] }).agreement[0]
}

describe.skipIf(paper === undefined)('the MedHELM paper’s public ratings', () => {
  it('taken in as they are give the published ICC', async () => {
    const cwd = createWorkspace()
    const { code, stdout, stderr } = await medmake(['rate', 'import', paper ?? '', '--study', 'paper'], {
      cwd,
    })
    // None of its answers is in the store.
    expect(code, stderr).toBe(1)
    expect(stdout).toContain('no run here holds')
    const found = await agreementOf(['--study', 'paper'], cwd)
    expect(found).toMatchObject({ name: 'medi_qa', raters: 7, ratings: 44, answers: 25 })
    expect(found?.jury?.icc.value).toBeCloseTo(0.625, 3)
    expect(found?.clinicians.icc.value).toBeCloseTo(0.5317, 4)
    const own = await agreementOf([paper ?? ''], cwd)
    // Answers are known by digests here: only the order of sums differs.
    for (const of of ['icc', 'spearman', 'lead'] as const)
      expect(found?.jury?.[of].value).toBeCloseTo(own?.jury?.[of].value ?? NaN, 10)
    const iccs = (each: Agreement | undefined) =>
      each?.clinicians.pairs.map(({ icc }) => icc?.toFixed(10) ?? null)
    expect(iccs(found)).toEqual(iccs(own))
  })
})
