import type { Methods } from './method.ts'

/** Juries and clinicians: agreement, alternative annotator, prediction-powered means, labels, self-preference. */
export const JURIES: Methods = {}
