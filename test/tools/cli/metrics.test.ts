import { describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

describe('medmake metrics', () => {
  it('lists each number with unit, range, direction, version and source', async () => {
    const cwd = createWorkspace()
    const { code, stdout } = await medmake(['metrics'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^rouge_l +share +0 to 1 +higher +instance +summarization +1\.0\.0 +crfm-helm 0\.5\.16/m,
    )
    expect(stdout).toMatch(/^perplexity +1 +0 to ∞ +lower +split /m)
  })

  it('finds names by a part of them, as JSON too, and suggests the one that was meant', async () => {
    const cwd = createWorkspace()
    const found = await medmake(['metrics', 'medec', '--json'], { cwd })
    expect(JSON.parse(found.stdout)).toMatchObject({
      metrics: [
        {
          name: 'medec_error_flag_accuracy',
          unit: '0 or 1',
          least: 0,
          most: 1,
          better: 'higher',
          of: 'instance',
        },
        { name: 'medec_error_sentence_accuracy', version: '1.0.0', source: 'crfm-helm 0.5.16 MedecMetric' },
      ],
    })
    const typo = await medmake(['metrics', 'exact_mach'], { cwd })
    const jury = await medmake(['metrics', 'jury_score'], { cwd })
    expect(jury.stdout).toMatch(/^<metric_name> +points of the rubric .*\njury_score_strict /m)
    expect(typo.code).toBe(2)
    expect(typo.stderr).toContain('Did you mean "exact_match"?')
  })
})
