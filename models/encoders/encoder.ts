/** One token's place in the rows of an embedding. */
export interface Embedding {
  /** Token by token, `size` numbers each. */
  readonly values: Float32Array
  readonly size: number
}

export interface Encoder {
  /** Ids of the tokens that open and close every text, such as BERT's [CLS] and [SEP]. */
  readonly boundaries: ReadonlySet<number>
  /** Token ids with the boundaries, cut to the longest that the encoder takes. */
  tokenize(text: string): readonly number[]
  /** The chosen layer's vectors of each sequence. */
  embed(sequences: readonly (readonly number[])[]): Promise<readonly Embedding[]>
  close(): Promise<void>
}

/** Where an encoder lies and how it is read. */
export interface EncoderFiles {
  /** ONNX with the outputs `hidden_states.0` (the embeddings), `hidden_states.1`, … */
  readonly model: string
  /** The tokenizer.json of Hugging Face's tokenizers. */
  readonly tokenizer: string
  readonly tokenizerConfig: string
}

export interface EncoderOptions {
  /** Number of encoder layers that a vector went through; 0: the embeddings themselves. */
  readonly layer: number
  readonly device: 'cpu' | 'cuda'
}
