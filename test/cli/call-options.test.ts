import { describe, expect, test } from 'vitest';
import { CALL_HELP, parseCallOptions } from '../../src/cli/call-options.ts';
import { CliError } from '../../src/cli/cli-error.ts';

describe('the command line of call', () => {
  test('recordings alone', () => {
    expect(parseCallOptions(['a.wav', 'b.wav'])).toEqual({
      files: ['a.wav', 'b.wav'],
      outbound: false,
      sampleRateHz: 16_000,
      waitMs: 15_000,
    });
  });

  test('every option', () => {
    const line =
      'a.wav --assistant x.json --via web --url http://host:1/ --key k --rate 8000 --barge-in 500 --wait 3 --out o --data d';
    expect(parseCallOptions(line.split(' '))).toEqual({
      files: ['a.wav'],
      assistant: 'x.json',
      url: 'http://host:1',
      key: 'k',
      dataDir: 'd',
      sampleRateHz: 8000,
      bargeInMs: 500,
      waitMs: 3000,
      out: 'o',
      outbound: false,
    });
  });

  test('help, which names every option', () => {
    expect(parseCallOptions(['--help'])).toBeUndefined();
    for (const name of [
      'assistant',
      'via',
      'outbound',
      'url',
      'key',
      'data',
      'rate',
      'barge-in',
      'wait',
      'out',
    ])
      expect(CALL_HELP).toContain(`--${name} `);
  });

  test.each([
    ['', 'no recording given'],
    ['a.wav --via twilio --url http://x', '--via twilio starts a service of its own'],
    ['a.wav --via telnyx --rate 16000', '--rate: a telephone has 8000'],
    ['a.wav --outbound', '--outbound needs --via'],
    ['a.wav --via pigeon', '--via pigeon is unknown'],
    ['a.wav --rate 44100', '--rate 44100: must be 8000'],
    ['a.wav --wait soon', '--wait soon: must be a number'],
    ['a.wav --barge-in=-1', '--barge-in -1: must be a number'],
    ['a.wav --url ftp://x', '--url ftp://x: must begin with http'],
    ['a.wav --colour', "Unknown option '--colour'"],
    ['a.wav --out', "Option '--out <value>' argument missing"],
  ])('%s is refused in one line', (line, message) => {
    let caught: unknown;
    try {
      parseCallOptions(line.split(' ').filter(Boolean));
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(CliError);
    expect(caught).toMatchObject({ exitCode: 2 });
    expect((caught as Error).message).toContain(message);
    expect((caught as Error).message).not.toContain('\n');
  });
});
