import { describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { recordingServer } from '../../rig/recording-server.ts'
import { createWorkspace } from '../../rig/workspace.ts'

/** A server whose model changes after so many replies. */
const changing = (after: number) => {
  let replies = 0
  return recordingServer(() => {
    replies += 1
    return {
      body: {
        model: 'm-2026',
        system_fingerprint: replies <= after ? 'fp_a' : 'fp_b',
        choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      },
    }
  })
}

const opened = async (after: number): Promise<string> => {
  const { url } = await changing(after)
  return createWorkspace({
    'models/fake.yaml': `model_deployments:\n  - name: fake/a\n    client_spec: {class_name: medmake.chat, args: {base_url: "${url}", model: a}}\n`,
    'benchmarks/own/benchmark.yaml':
      'name: own\naccess: public\ndescription: x\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics:\n  - name: exact_match\n',
    'benchmarks/own/prompt.txt': 'Read: {note}',
    'benchmarks/own/data.csv': `note,correct_answer\n${Array.from({ length: 8 }, (_, row) => `note ${row},a`).join('\n')}\n`,
    'targets/main.conf': 'entries: [{description: "own:model=fake/a"}]',
  })
}

const WARNING = 'own:model=fake_a: fake/a changed under way: m-2026 (fp_a) 5 replies, m-2026 (fp_b) 3 replies'

describe('a model that changes under way', () => {
  it('is told with the replies of each, now and whenever the run is asked for', async () => {
    const cwd = await opened(5)
    const first = await medmake(['run'], { cwd })
    expect(first.code).toBe(0)
    expect(first.stderr).toContain(WARNING)
    expect(first.stdout).toContain('3 replies of a model that changed')
    expect((await medmake(['run'], { cwd })).stderr).toContain(WARNING)
    const { stdout } = await medmake(['run', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({
      drift: {
        'own:model=fake_a': [{ deployment: 'fake/a', served: { 'm-2026 (fp_a)': 5, 'm-2026 (fp_b)': 3 } }],
      },
    })
  })

  it('is no word of where it stays the same', async () => {
    const cwd = await opened(100)
    const { stdout, stderr } = await medmake(['run'], { cwd })
    expect(stderr).toBe('')
    expect(stdout).not.toContain('changed')
  })
})
