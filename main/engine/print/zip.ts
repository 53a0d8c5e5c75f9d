import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive. */
export interface ZipMember {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A ZIP of some files, in their order, deflated, dated `at` (DOS time: UTC, to two seconds). Names are UTF-8. */
export function zipOf(members: readonly ZipMember[], at: Date): Uint8Array {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  for (const { name, bytes } of members) {
    const text = Buffer.from(name, "utf8");
    const packed = deflateRawSync(bytes, { level: 6 });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0); // version needed
    facts.writeUInt16LE(0x0800, 2); // names are UTF-8
    facts.writeUInt16LE(8, 4); // deflate
    facts.writeUInt16LE(time, 6);
    facts.writeUInt16LE(date, 8);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(text.length, 22);
    pieces.push(Buffer.from("PK\u0003\u0004", "latin1"), facts, text, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), facts, place, text);
    offset += 4 + facts.length + text.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...pieces, list, end]));
}
