/**
 * Owns the compiling of .proto text to descriptors, as far as the tests and examples need it: messages, enums, maps,
 * oneofs, optional and packed fields, defaults, extensions' ranges and imports of the well-known types. It checks
 * nothing; its input is the project's own.
 */

import { create, toBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";

const TOKEN_REGEXP = /\/\/[^\n]*|"[^"]*"|[A-Za-z_][\w.]*|-?\d+|[{}=;<>,[\]()]/g;
const SCALARS: ReadonlyMap<string, Type> = new Map([
  ["double", Type.DOUBLE],
  ["float", Type.FLOAT],
  ["int64", Type.INT64],
  ["uint64", Type.UINT64],
  ["int32", Type.INT32],
  ["fixed64", Type.FIXED64],
  ["fixed32", Type.FIXED32],
  ["bool", Type.BOOL],
  ["string", Type.STRING],
  ["bytes", Type.BYTES],
  ["uint32", Type.UINT32],
  ["sfixed32", Type.SFIXED32],
  ["sfixed64", Type.SFIXED64],
  ["sint32", Type.SINT32],
  ["sint64", Type.SINT64],
]);

/** The descriptor set of .proto files, in the binary form that `protoc --descriptor_set_out` writes. */
export function compileProto(files: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer> {
  const file = [...files].map(([name, text]) => new ProtoCompiler(name, text).file());
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
}

/** A message being compiled: its descriptor and its full name, with the leading dot. */
interface Scope {
  readonly message: DescriptorProto;
  readonly name: string;
}

class ProtoCompiler {
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #file: FileDescriptorProto;
  /** Full names declared in the file, and whether each is an enum. */
  readonly #declared = new Map<string, boolean>();
  /** Fields whose type is a name: resolved once all names are known. */
  readonly #named: { readonly field: FieldDescriptorProto; readonly type: string; readonly scope: string }[] = [];

  constructor(name: string, text: string) {
    this.#tokens = (text.match(TOKEN_REGEXP) ?? []).filter((token) => !token.startsWith("//"));
    this.#file = create(FileDescriptorProtoSchema, { name });
  }

  file(): FileDescriptorProto {
    while (this.#at < this.#tokens.length) this.#statement();
    for (const { field, type, scope } of this.#named) this.#resolve(field, type, scope);
    return this.#file;
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? "";
  }

  #skip(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #statement(): void {
    const word = this.#next();
    const scope = `.${this.#file.package}`;
    if (word === "message") this.#file.messageType.push(this.#message(scope));
    else if (word === "enum") this.#file.enumType.push(this.#enum(scope));
    else {
      this.#skip("=");
      const value = this.#next().replaceAll('"', "");
      if (word === "package") this.#file.package = value;
      if (word === "import") this.#file.dependency.push(value);
      if (word === "syntax" && value !== "proto2") this.#file.syntax = value;
      this.#skip(";");
    }
  }

  #message(outer: string): DescriptorProto {
    const message = create(DescriptorProtoSchema, { name: this.#next() });
    const scope: Scope = { message, name: `${outer}.${message.name}` };
    this.#declared.set(scope.name, false);
    this.#skip("{");
    while (!this.#skip("}")) this.#member(scope);
    // The oneofs of optional fields stand behind those that were written.
    for (const field of message.field) {
      if (!field.proto3Optional) continue;
      field.oneofIndex = message.oneofDecl.length;
      message.oneofDecl.push({ $typeName: "google.protobuf.OneofDescriptorProto", name: `_${field.name}` });
    }
    return message;
  }

  #member(scope: Scope): void {
    const { message } = scope;
    const word = this.#next();
    if (word === "message") message.nestedType.push(this.#message(scope.name));
    else if (word === "enum") message.enumType.push(this.#enum(scope.name));
    else if (word === "oneof") this.#oneof(scope);
    else if (word === "extensions") {
      const start = Number(this.#next());
      const end = this.#skip("to") ? Number(this.#next()) : start;
      message.extensionRange.push({ $typeName: "google.protobuf.DescriptorProto.ExtensionRange", start, end: end + 1 });
      this.#skip(";");
    } else if (word === "map") message.field.push(this.#map(scope));
    else if (word === "repeated") message.field.push(this.#field(scope, this.#next(), Label.REPEATED));
    else if (word === "required") message.field.push(this.#field(scope, this.#next(), Label.REQUIRED));
    else if (word === "optional") {
      const field = this.#field(scope, this.#next(), Label.OPTIONAL);
      field.proto3Optional = this.#file.syntax === "proto3";
      message.field.push(field);
    } else message.field.push(this.#field(scope, word, Label.OPTIONAL));
  }

  #oneof(scope: Scope): void {
    const oneofIndex = scope.message.oneofDecl.length;
    scope.message.oneofDecl.push({ $typeName: "google.protobuf.OneofDescriptorProto", name: this.#next() });
    this.#skip("{");
    while (!this.#skip("}")) {
      const field = this.#field(scope, this.#next(), Label.OPTIONAL);
      field.oneofIndex = oneofIndex;
      scope.message.field.push(field);
    }
  }

  #field({ name: scope }: Scope, type: string, label: Label): FieldDescriptorProto {
    const name = this.#next();
    this.#skip("=");
    const field = create(FieldDescriptorProtoSchema, {
      name,
      jsonName: jsonName(name),
      label,
      number: Number(this.#next()),
    });
    this.#type(field, type, scope);
    if (this.#skip("[")) { while (!this.#skip("]")) this.#option(field); }
    this.#skip(";");
    return field;
  }

  #option(field: FieldDescriptorProto): void {
    const option = this.#next();
    this.#skip("=");
    const value = this.#next().replaceAll('"', "");
    if (option === "json_name") field.jsonName = value;
    if (option === "default") field.defaultValue = value;
    if (option === "packed") {
      field.options = create(FieldDescriptorProtoSchema, { options: { packed: value === "true" } }).options;
    }
    this.#skip(",");
  }

  #map(scope: Scope): FieldDescriptorProto {
    this.#skip("<");
    const keyType = this.#next();
    this.#skip(",");
    const valueType = this.#next();
    this.#skip(">");
    const at = this.#at;
    const camel = jsonName(this.#tokens[at] ?? "");
    const entry = create(DescriptorProtoSchema, {
      name: `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`,
      options: { mapEntry: true },
      field: [
        { name: "key", jsonName: "key", number: 1, label: Label.OPTIONAL },
        { name: "value", jsonName: "value", number: 2, label: Label.OPTIONAL },
      ],
    });
    const [key, value] = entry.field;
    if (key !== undefined) this.#type(key, keyType, scope.name);
    if (value !== undefined) this.#type(value, valueType, scope.name);
    this.#declared.set(`${scope.name}.${entry.name}`, false);
    scope.message.nestedType.push(entry);
    return this.#field(scope, entry.name, Label.REPEATED);
  }

  #enum(outer: string): EnumDescriptorProto {
    const declared = create(EnumDescriptorProtoSchema, { name: this.#next() });
    this.#declared.set(`${outer}.${declared.name}`, true);
    this.#skip("{");
    while (!this.#skip("}")) {
      const name = this.#next();
      this.#skip("=");
      declared.value.push({
        $typeName: "google.protobuf.EnumValueDescriptorProto",
        name,
        number: Number(this.#next()),
      });
      this.#skip(";");
    }
    return declared;
  }

  #type(field: FieldDescriptorProto, type: string, scope: string): void {
    const scalar = SCALARS.get(type);
    if (scalar !== undefined) field.type = scalar;
    else this.#named.push({ field, type, scope });
  }

  /** Looks the name up from the innermost scope outwards; what is nowhere in the file was imported. */
  #resolve(field: FieldDescriptorProto, type: string, scope: string): void {
    for (let around = scope;; around = around.slice(0, around.lastIndexOf("."))) {
      const isEnum = this.#declared.get(`${around}.${type}`);
      if (isEnum !== undefined || around === "") {
        field.type = isEnum === true ? Type.ENUM : Type.MESSAGE;
        field.typeName = isEnum === undefined ? `.${type}` : `${around}.${type}`;
        return;
      }
    }
  }
}

function jsonName(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
