import { expect, it } from 'vitest'
import { VERBS } from '../../../tools/cli/verbs.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it.each(VERBS.flatMap(({ name, commands }) => (commands === undefined ? [] : [[name, commands] as const])))(
  'the help of %s names each of its commands',
  async (name, commands) => {
    const cwd = createWorkspace()
    const { code, stderr } = await medmake([name, 'nothing'], { cwd })
    const known = Object.keys(commands).map((each) => `medmake ${name} ${each}`)
    expect(code).toBe(2)
    expect(stderr).toContain(`Use ${known.join(', ')}.`)
    const { stdout } = await medmake([name, '--help'], { cwd })
    const told = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    for (const line of Object.entries(commands)) expect(told).toContainEqual(line)
  },
)
