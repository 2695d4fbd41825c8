import type { Instance } from './instance.ts'

/** An instance as its data gives it: without an id where HELM numbers instances by position. */
export type DraftInstance = Omit<Instance, 'id'> & { readonly id?: string | number }
