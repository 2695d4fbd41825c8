/** Names of models and makers that are no words of medicine: GPT alone is an enzyme, and Meta begins many a word. */
const KNOWN =
  /(?<![\p{L}\p{N}])(?:gpt-?(?:oss|\d)|(?:openai|chatgpt|anthropic|claude|google|gemini|gemma|meta ai|llama|mistral|mixtral|qwen|alibaba|deepseek|microsoft|grok|xai)(?!\p{L}))/iu

/** Whether an answer names a model or a maker, so that its raters may have known whose it is. @param models of the study */
export const namesItself = (text: string, models: readonly string[]): boolean =>
  KNOWN.test(text) || models.some((model) => isTelling(model) && text.toLowerCase().includes(model))

/** A model may be called by a word, such as `lead`. */
const isTelling = (model: string): boolean => model.length > 4 && /\d/.test(model)
