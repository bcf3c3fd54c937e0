import { type Line, parseJson, refusalOf } from './call.ts'
import { neverConnected, PaymentsError, reasonOf } from './outcomes.ts'

/** One event of a stream. */
export interface StreamEvent<Data> {
  /** Store it: `after` resumes behind it. */
  readonly id: string
  readonly type: string
  readonly data: Data
}

export interface StreamOptions {
  /** The id of the last event that you have. Default: from now on. */
  readonly after?: string | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
}

type Open = (headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined) => Promise<Response>
type Parts = Pick<Line, 'provingCodes' | 'now' | 'pause'> & { readonly operation: string }

const PAUSE_MS = 2_000
const MAX_PAUSE_MS = 60_000

/**
 * Reads events until the caller stops. A broken stream reopens behind its last event, so no event is missed or
 * repeated. Before the first event it begins from now on again. Throws PaymentsError for a refusal that would come
 * again: a key that ended, an id that the server no longer knows.
 */
export async function* followStream<Data>(
  parts: Parts,
  { after, signal }: StreamOptions,
  open: Open,
): AsyncGenerator<StreamEvent<Data>, void, undefined> {
  let last = after
  for (let failures = 0; !isAborted(signal); ) {
    let wait = Math.min(PAUSE_MS * 2 ** Math.min(failures, 5), MAX_PAUSE_MS)
    try {
      const response = await open(last === undefined ? {} : { 'last-event-id': last }, signal)
      if (response.status !== 200 || response.body === null) throw await refused(parts, response)
      for await (const event of eventsIn<Data>(response.body)) {
        failures = 0
        last = event.id === '' ? last : event.id
        yield event
      }
      wait = PAUSE_MS
    } catch (error) {
      if (isAborted(signal)) return
      const known = error instanceof PaymentsError ? error : lost(parts, error)
      if (comesAgain(known)) throw known
      wait = Math.max(wait, known.retryAfterMs ?? 0)
      failures += 1
    }
    await parts.pause(wait)
  }
}

/**
 * Whether a refusal is final: limits and outages pass, but a refusal of the request itself does not. Neither does an
 * address that leads elsewhere, since no key follows a redirect.
 */
function comesAgain({ status = 500 }: PaymentsError): boolean {
  return status >= 300 && status < 500 && status !== 408 && status !== 429
}

/** Checked each time, since it changes while the stream waits. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function refused(parts: Parts, response: Response): Promise<PaymentsError> {
  const headers = Object.fromEntries(response.headers)
  return refusalOf(parts, parts.operation, { status: response.status, headers }, parseJson(await response.text()))
}

function lost({ operation }: Parts, error: unknown): PaymentsError {
  const { cause = error } = error as { cause?: unknown }
  const kind = neverConnected(cause) ? 'unreachable' : 'unknown'
  return new PaymentsError({ kind, operation, message: reasonOf(cause), cause })
}

/** Yields the events in a body, as the HTML standard defines them. Comments only keep the connection alive. */
async function* eventsIn<Data>(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent<Data>> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readEvent<Data>(block)
      if (event !== undefined) yield event
    }
  }
}

function readEvent<Data>(block: string): StreamEvent<Data> | undefined {
  let [id, type] = ['', 'message']
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
    if (name === 'id') id = value
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
  }
  return data.length === 0 ? undefined : { id, type, data: JSON.parse(data.join('\n')) as Data }
}
