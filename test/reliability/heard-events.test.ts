import { describe, expect, it } from 'vitest'
import { type HeardEvent, judgeDeliveries, judgeStream } from '../../proof/judge/heard.ts'

const due = ['1', '2', '3', '4'].map(event)

function event(id: string): HeardEvent {
  return { id, content: `event ${id}` }
}

function sitting(after: string | undefined, ids: readonly string[]) {
  return { after, heard: ids.map(event) }
}

describe('a recorded stream', () => {
  it('is accepted if it continues after each break and contains all events to the end', () => {
    const sittings = [sitting(undefined, ['1', '2', '3']), sitting('2', ['3']), sitting('3', []), sitting('3', ['4'])]
    expect(judgeStream('a program', sittings, due)).toEqual([])
    expect(judgeStream('a program', [sitting('0', ['1', '2', '3', '4'])], due)).toEqual([])
    expect(judgeStream('a program', [sitting(undefined, ['3', '4'])], due)).toEqual([])
  })

  it.each([
    ['an event left out', [sitting('0', ['1', '3', '4'])], 'left out 2 before 3'],
    ['an event left out across a break', [sitting('0', ['1']), sitting('1', ['3', '4'])], 'left out 2 before 3'],
    ['an event told twice', [sitting('0', ['1', '1'])], 'told 1 again, or too late'],
    [
      'an event told again across a break',
      [sitting('0', ['1', '2']), sitting('2', ['2'])],
      'told 2 again, or too late',
    ],
    ['events in the wrong order', [sitting('0', ['1', '3', '2'])], 'left out 2 before 3'],
    ['an unknown event', [sitting('0', ['1', '7'])], 'told 7, which is no event'],
    ['an end that was never told', [sitting('0', ['1', '2'])], 'never told 3, 4'],
    [
      'an end that was told once, and not again',
      [sitting('0', ['1', '2', '3', '4']), sitting('2', [])],
      'never told 3, 4',
    ],
    ['silence', [sitting(undefined, [])], 'told nothing'],
    [
      'other content',
      [{ after: '0', heard: [{ id: '1', content: 'another' }] }],
      'told 1 as another, which is event 1',
    ],
  ])('is rejected because of %s', (_, sittings, fault) => {
    expect(judgeStream('a program', sittings, due)).toEqual([`the stream of a program ${fault}`])
  })
})

describe('a recorded webhook', () => {
  it('is accepted if events come in order, each repeated only before the next one', () => {
    expect(judgeDeliveries('hook', ['1', '1', '2', '3', '3', '3', '4'].map(event), due)).toEqual([])
    expect(judgeDeliveries('hook', ['1', '2'].map(event), due, 2)).toEqual([])
    expect(judgeDeliveries('hook', ['1', '2', '3'].map(event), due, 2)).toEqual([])
  })

  it.each([
    ['an event left out', ['1', '3'], 'left out 2 before 3'],
    ['the first event left out', ['2', '3'], 'left out 1 before 2'],
    ['an older event again', ['1', '2', '3', '2'], 'told 2 again, or too late'],
    ['an unknown event', ['1', '7'], 'told 7, which is no event'],
    ['an end that was never sent', ['1', '2', '2'], 'was never sent 3, 4'],
  ])('is rejected because of %s', (_, ids, fault) => {
    expect(judgeDeliveries('hook', ids.map(event), due)).toEqual([`the webhook hook ${fault}`])
  })

  it('is rejected because of different content under an id that was already sent', () => {
    const deliveries = [event('1'), { id: '1', content: 'another' }]
    expect(judgeDeliveries('hook', deliveries, due)).toEqual(['the webhook hook told 1 as another, which is event 1'])
  })
})
