import axios from 'axios';
import { expect, test } from 'vitest';
import { startSandbox } from '../testing/fixtures.ts';

test('the sample site posts to the product and can reach nothing else', async () => {
  const sandbox = await startSandbox({ apiUrl: 'http://shop.test:8080/</script>' });

  const { data, headers } = await axios.get(`${sandbox.url}/sample-site`);

  const settings: unknown = JSON.parse(
    /id="settings"[^>]*>([^]*?)<\/script>/.exec(data)?.[1] ?? '',
  );
  expect(settings).toEqual({
    leadUrl: 'http://shop.test:8080/</script>/api/lead/subscribe',
    sentUrl: 'http://shop.test:8080/</script>/sample-sent',
  });
  expect(headers['content-security-policy']).toContain('connect-src http://shop.test:8080');
  const nonce = /script-src 'nonce-([^']+)'/.exec(headers['content-security-policy'])?.[1];
  expect(data).toContain(`<script nonce="${nonce}">`);
  expect(data).toContain(`formType: 'pre_sample'`);
});

test('the sample site follows when the product moves to another URL', async () => {
  const sandbox = await startSandbox();

  sandbox.setApiUrl('http://127.0.0.1:1234/');

  const { data } = await axios.get(`${sandbox.url}/sample-site`);
  expect(data).toContain('"leadUrl":"http://127.0.0.1:1234/api/lead/subscribe"');
});
