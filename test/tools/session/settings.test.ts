import { expect, it } from 'vitest'
import { z } from 'zod'
import { ConfigFile, readConfig } from '../../../tools/session/workspace/config.ts'
import { settingsText, type SettingSchema } from '../../../tools/cli/settings/action.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const schema = z.toJSONSchema(ConfigFile, { io: 'input' }) as SettingSchema

const undescribed = ({ properties = {}, examples }: SettingSchema, path: string): readonly string[] =>
  examples === undefined
    ? Object.entries(properties).flatMap(([name, each]) => [
        ...((each.description ?? '') === '' ? [`${path}${name}: no description`] : []),
        ...(each.default === undefined && each.examples === undefined && each.properties === undefined
          ? [`${path}${name}: neither default nor example`]
          : []),
        ...undescribed(each, `${path}${name}.`),
      ])
    : []

/** Takes the marks off settings, not off what is said of them. */
const unmarked = (text: string): string => text.replaceAll(/^#(?! \S)/gm, '')

it('every setting says what it is, and its default or an example', () => {
  expect(undescribed(schema, '')).toEqual([])
})

it('what is shown can be read, and is what holds without it', async () => {
  const shown = await readConfig(createWorkspace({ 'medmake.yaml': settingsText(schema) }))
  expect(shown).toEqual(await readConfig(createWorkspace()))
})

it('every example can be read', async () => {
  const text = unmarked(settingsText(schema))
  const config = await readConfig(createWorkspace({ 'medmake.yaml': text }))
  expect(Object.keys(config).toSorted()).toEqual(Object.keys(schema.properties ?? {}).toSorted())
  expect(config).toMatchObject({
    vault_key_file: '/etc/medmake/vault.key',
    budget: { max_usd: 20, deployments: { 'openai/gpt-4o-2024-05-13': { per_day: 10 } } },
    bert_score: { layer: 5, baseline: { f1: 0.67 } },
  })
})

it('they are named where a newcomer looks', async () => {
  const cwd = createWorkspace()
  expect((await medmake(['--help'], { cwd })).stdout).toContain('`medmake settings` shows every one')
  expect((await medmake(['settings'], { cwd })).stdout).toContain('\nstore: cache/store\n')
  expect(JSON.parse((await medmake(['settings', '--json'], { cwd })).stdout)).toHaveProperty(
    'properties.store',
  )
  expect((await medmake(['init', 'own'], { cwd })).code).toBe(0)
  const { readFileSync } = await import('node:fs')
  expect(readFileSync(`${cwd}/own/medmake.yaml`, 'utf8')).toContain('medmake settings')
})

it.each(['store: ""', 'store: { tier: "~/x" }', 'output_path: ""', 'data: "~"'])(
  'a path is no other folder than is meant: %s',
  (text) =>
    expect(readConfig(createWorkspace({ 'medmake.yaml': `${text}\n` }))).rejects.toThrow('config/bad-value'),
)

it('a suite that nobody answers is refused with what it must name', async () => {
  const read = (models: string) =>
    readConfig(createWorkspace({ 'medmake.yaml': `suites: { main: { models: ${models} } }\n` }))
  await expect(read('[]')).rejects.toThrow('"suites.main.models" can\'t be an empty list')
  await expect(read('[""]')).rejects.toThrow('config/bad-value')
  expect((await read('[a/b]')).suites).toMatchObject({ main: { models: ['a/b'] } })
})
