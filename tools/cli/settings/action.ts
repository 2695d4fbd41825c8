import { z } from 'zod'
import { EXIT } from '../../../cache/problems/problem.ts'
import { ConfigFile } from '../../session/workspace/config.ts'
import { settingsText, type SettingSchema } from '../../session/workspace/settings-text.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'

/** `medmake settings`: all of medmake.yaml, from the schema that reads it. */
export const settingsAction: Action = ({ flags, print }) => {
  const schema = z.toJSONSchema(ConfigFile, { io: 'input' })
  if (boolFlag(flags, 'json')) print(JSON.stringify(schema))
  else
    print(
      `# Every setting of medmake.yaml. Flags win over it; paths are relative to its folder.\n\n${settingsText(schema as SettingSchema)}`,
    )
  return Promise.resolve(EXIT.done)
}
