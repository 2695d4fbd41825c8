import { describe, expect, it } from 'vitest'
import { pairName, slug } from '../../../../tools/nx/pairs/pair-name.ts'
import type { RunSpec } from '../../../../targets/record/target.ts'

const named = (name: string, model: string, modelDeployment = model): ReturnType<typeof pairName> =>
  pairName({ name, adapter: { model, modelDeployment } as RunSpec['adapter'] })

describe('project names', () => {
  it('leave the model out of the scenario', () => {
    expect(
      named('head_qa:language=en,category=None,model=openai_gpt-4o', 'openai/gpt-4o', 'azure/gpt-4o'),
    ).toEqual({
      model: 'openai_gpt-4o',
      scenario: 'head_qa,language=en,category=None',
    })
  })

  it('name the deployment where the run entry does', () => {
    const name = 'ehrshot:subject=lab_anemia,num_output_tokens=4000,model=a_b,model_deployment=site_b'
    expect(named(name, 'a/b', 'site/b')).toEqual({
      model: 'site_b',
      scenario: 'ehrshot,subject=lab_anemia,num_output_tokens=4000',
    })
  })

  it('stay readable and apart where characters have to go', () => {
    expect(slug('a/b')).toBe('a_b')
    expect(slug('ollama/llama3:8b')).toBe('ollama_llama3,8b')
    expect(slug('a b')).toMatch(/^a_b-[0-9a-f]{8}$/)
    expect(slug('a b')).not.toBe(slug('a*b'))
  })
})
