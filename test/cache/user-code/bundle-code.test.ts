import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importBundled } from '../../../cache/user-code/bundle-code.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'

test.each(['C# notes', '100%', 'what?', '2*3', 'b[r]{a}', 'plain'])(
  'code of a workspace in a folder named %j is loaded with what lies beside it',
  async (name) => {
    const root = join(temporaryFolder(), name)
    writeFiles(root, {
      'code.ts': `import { defineMetric } from 'medmake'\nimport { word } from './word.ts'\nexport const found = [typeof defineMetric, word]`,
      'word.ts': `export const word: string = 'beside'`,
    })
    const watched = new Set([join(root, 'code.ts'), join(root, 'word.ts')])
    const refuse = (file: string): never => {
      throw new Error(`${file} is watched by nobody`)
    }
    const code = await importBundled(join(root, 'code.ts'), watched, refuse)
    expect(code).toMatchObject({ found: ['function', 'beside'] })
  },
)

test('code means the same beside a tsconfig.json that bundlers read it by as without one', async () => {
  const root = temporaryFolder()
  writeFiles(root, {
    'tsconfig.json': '{"compilerOptions": {"target": "ES2020"}}',
    'code.ts': `class Base { set word(_: string) { throw new Error('the setter was called') } }
class Own extends Base { word: string = 'a field' }
export const { word } = new Own()`,
  })
  const code = await importBundled(join(root, 'code.ts'), new Set([join(root, 'code.ts')]), (file) => {
    throw new Error(`${file} is watched by nobody`)
  })
  expect(code).toMatchObject({ word: 'a field' })
})
