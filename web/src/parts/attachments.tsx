// Files that travel with a message: their text is read here, their name and type are always sent.

import {signal} from "@preact/signals";
import {texts} from "../state";
import type {Attachment} from "../types";

export const attached = signal<Attachment[]>([]);
const most = 200_000;  // characters of one file

async function add(files: FileList | null) {
  const read = await Promise.all([...(files ?? [])].map(async file => {
    const isText = /^text\/|json|csv|xml|yaml/.test(file.type) || /\.(txt|md|csv|json|ya?ml|sql)$/i.test(file.name);
    return {name: file.name, mime: file.type || "application/octet-stream",
      text: isText ? (await file.text()).slice(0, most) : ""};
  }));
  attached.value = [...attached.value, ...read];
}

export function Attachments() {
  const t = texts.value.playground;
  return <div class="attachments">
    <label class="button quiet"><input type="file" multiple class="sr" onChange={event => {
      void add(event.currentTarget.files);
      event.currentTarget.value = "";
    }} />{t.attach}</label>
    {attached.value.length > 0 && <ul aria-label={t.attachments}>
      {attached.value.map((file, i) => <li key={i}><span>{file.name}</span><small>{file.mime}</small>
        <button type="button" class="quiet" aria-label={t.drop(file.name)}
          onClick={() => (attached.value = attached.value.filter((_, at) => at !== i))}>×</button></li>)}
    </ul>}
  </div>;
}
