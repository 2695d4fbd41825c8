import { exactMean } from '../exact-sum.ts'

/** An instance's value where it was tried several times: the mean over its trials, however many it has. */
export const trialMeans = (trials: readonly (readonly number[])[]): readonly number[] => trials.map(exactMean)
