import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { dict, record, text, type Form } from './form.ts'

/** HELM's ObjectSpec: a class of HELM's and its arguments (HELM.md F2). */
export const objectSpecForm: Form<ObjectSpec> = record<ObjectSpec>({ className: text, args: dict })
