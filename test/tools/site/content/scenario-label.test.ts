import { expect, test } from 'vitest'
import { scenarioLabel } from '../../../../tools/site/content/scenario-label.ts'

test('A part of a benchmark is called by its arguments, by how many were asked only where nothing else is told', () => {
  const label = (scenario: string): string => scenarioLabel('Dialogues', scenario)
  expect(label('med_dialog')).toBe('Dialogues')
  expect(label('med_dialog,subset=chronic_pain,max_eval_instances=5')).toBe('Dialogues (chronic pain)')
  expect(label('med_dialog:max_eval_instances=5')).toBe('Dialogues (max_eval_instances=5)')
})
