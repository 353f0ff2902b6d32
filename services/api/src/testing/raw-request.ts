import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes unchanged, and reads until the server closes. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

export const portOf = ({ url }: { url: string }) => Number(new URL(url).port);
