/** Something that runs beside the requests, from start to stop. */
export interface Worker {
  /** Resolves when the work that must come before any request is done. */
  readonly ready?: Promise<void>
  /** Finishes what runs and leaves the rest to the next start. */
  close(): Promise<void>
}
