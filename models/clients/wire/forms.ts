import type { FormName } from '../chat/call-settings.ts'
import { chatForm, completionsForm } from './chat-form.ts'
import { responsesForm } from './responses-form.ts'
import type { WireForm } from './wire-form.ts'

export const WIRE_FORMS: Readonly<Record<FormName, WireForm>> = {
  chat: chatForm,
  responses: responsesForm,
  completions: completionsForm,
}
