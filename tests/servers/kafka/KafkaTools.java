import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka's own admin client, consumer and producer behind lines of JSON, so that a test pays for one virtual machine and
 * not for one a question. A request is `{"verb": ..., ...}` on stdin; its answer is lines on stdout, the last of which
 * holds `end` or `error`. Bytes are base64, an absent key or value is null.
 */
public final class KafkaTools {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SCRAM_ITERATIONS = 4096;
  private static final int TIMEOUT_MS = 60_000;
  private static final int REQUEST_TIMEOUT_MS = 10_000;
  private static final int METADATA_AGE_MS = 1_000;
  private static final int NODES_TIMEOUT_MS = 5_000;
  private static final int KNOWN_TIMEOUT_MS = 5_000;
  private static final int KNOWN_LOOK_EVERY_MS = 100;
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int RECORD_BYTES_MAX = 64 * 1024 * 1024;

  private final Writer out;
  private String bootstrap = "";
  private Admin admin;

  private KafkaTools(Writer out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
    // What libraries print must not come between the answers.
    System.setOut(System.err);
    KafkaTools tools = new KafkaTools(out);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        tools.answer(JSON.readTree(line));
        tools.say(JSON.createObjectNode().put("end", true));
      } catch (ExecutionException caught) {
        tools.say(JSON.createObjectNode().put("error", String.valueOf(caught.getCause())));
      } catch (Exception caught) {
        tools.say(JSON.createObjectNode().put("error", String.valueOf(caught)));
      }
      out.flush();
    }
    System.exit(0);
  }

  private void say(JsonNode answer) throws IOException {
    out.write(JSON.writeValueAsString(answer));
    out.write('\n');
  }

  private void answer(JsonNode request) throws Exception {
    switch (request.get("verb").asText()) {
      case "format" -> format(request);
      case "connect" -> connect(request);
      case "nodes" -> nodes(admin);
      case "login" -> login(request);
      case "createTopic" -> createTopic(request);
      case "deleteTopic" -> admin.deleteTopics(List.of(request.get("topic").asText())).all().get();
      case "partitions" -> partitions(request);
      case "moveLeader" -> moveLeader(request);
      case "addUser" -> addUser(request);
      case "read" -> read(request);
      case "produce" -> produce(request);
      case "fill" -> fill(request);
      case "committed" -> committed(request);
      default -> throw new IllegalArgumentException("no such verb");
    }
  }

  /** Makes the data folders of a new cluster, one call of Kafka's own tool for each node. */
  private void format(JsonNode request) {
    for (JsonNode config : request.get("configs")) {
      List<String> args = new ArrayList<>(List.of("format", "-t", request.get("cluster").asText(), "-c", config.asText()));
      request.get("scram").forEach(user -> args.addAll(List.of("--add-scram", user.asText())));
      int code = kafka.tools.StorageTool.execute(args.toArray(new String[0]), new PrintStream(System.err));
      if (code != 0) throw new IllegalStateException("format of " + config.asText() + " ended with code " + code);
    }
  }

  private void connect(JsonNode request) {
    bootstrap = request.get("bootstrap").asText();
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", bootstrap);
    config.put("default.api.timeout.ms", TIMEOUT_MS);
    config.put("reconnect.backoff.ms", 50);
    config.put("reconnect.backoff.max.ms", 200);
    config.put("metadata.max.age.ms", METADATA_AGE_MS);
    admin = Admin.create(config);
  }

  /** Asks for the nodes by a client of its own, with the properties given. */
  private void login(JsonNode request) throws Exception {
    Map<String, Object> config = new HashMap<>();
    request.get("properties").properties().forEach(entry -> config.put(entry.getKey(), entry.getValue().asText()));
    try (Admin client = Admin.create(config)) {
      nodes(client);
    }
  }

  private void nodes(Admin client) throws Exception {
    ArrayNode ids = JSON.createArrayNode();
    for (Node node : client.describeCluster().nodes().get(NODES_TIMEOUT_MS, TimeUnit.MILLISECONDS)) ids.add(node.id());
    say(JSON.createObjectNode().set("nodes", ids));
  }

  private void createTopic(JsonNode request) throws Exception {
    NewTopic topic = new NewTopic(request.get("topic").asText(), request.get("partitions").asInt(),
        (short) request.get("replicas").asInt());
    Map<String, String> config = new HashMap<>();
    request.get("config").properties().forEach(entry -> config.put(entry.getKey(), entry.getValue().asText()));
    admin.createTopics(List.of(topic.configs(config))).all().get();
  }

  /** A node that was started or told of the topic a moment ago may not know it yet, so it is asked again. */
  private List<TopicPartitionInfo> describe(String topic) throws Exception {
    long giveUp = System.currentTimeMillis() + KNOWN_TIMEOUT_MS;
    while (true) {
      try {
        return admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions();
      } catch (ExecutionException caught) {
        boolean unknown = caught.getCause() instanceof UnknownTopicOrPartitionException;
        if (!unknown || System.currentTimeMillis() > giveUp) throw caught;
        Thread.sleep(KNOWN_LOOK_EVERY_MS);
      }
    }
  }

  private void partitions(JsonNode request) throws Exception {
    String topic = request.get("topic").asText();
    List<TopicPartition> all = new ArrayList<>();
    List<TopicPartitionInfo> infos = describe(topic);
    for (TopicPartitionInfo info : infos) all.add(new TopicPartition(topic, info.partition()));
    for (TopicPartitionInfo info : infos) {
      ObjectNode answer = JSON.createObjectNode().put("partition", info.partition());
      answer.put("leader", info.leader() == null || info.leader().isEmpty() ? -1 : info.leader().id());
      ArrayNode replicas = answer.putArray("replicas");
      info.replicas().forEach(node -> replicas.add(node.id()));
      ArrayNode inSync = answer.putArray("inSync");
      info.isr().forEach(node -> inSync.add(node.id()));
      say(answer);
    }
  }

  /** Makes a node the preferred leader of a partition, then lets it be elected. */
  private void moveLeader(JsonNode request) throws Exception {
    TopicPartition partition = new TopicPartition(request.get("topic").asText(), request.get("partition").asInt());
    int leader = request.get("node").asInt();
    List<Integer> replicas = new ArrayList<>(List.of(leader));
    for (Node node : describe(partition.topic()).get(partition.partition()).replicas()) {
      if (node.id() != leader) replicas.add(node.id());
    }
    admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(replicas)))).all().get();
    try {
      admin.electLeaders(ElectionType.PREFERRED, Set.of(partition)).all().get();
    } catch (ExecutionException caught) {
      // It leads already.
      if (!(caught.getCause() instanceof ElectionNotNeededException)) throw caught;
    }
  }

  private void addUser(JsonNode request) throws Exception {
    for (ScramMechanism mechanism : List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)) {
      admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(request.get("name").asText(),
          new ScramCredentialInfo(mechanism, SCRAM_ITERATIONS), request.get("password").asText()))).all().get();
    }
  }

  private Map<String, Object> clientConfig() {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", bootstrap);
    config.put("key.serializer", ByteArraySerializer.class);
    config.put("value.serializer", ByteArraySerializer.class);
    config.put("key.deserializer", ByteArrayDeserializer.class);
    config.put("value.deserializer", ByteArrayDeserializer.class);
    return config;
  }

  /** Everything that a topic holds at the moment of the call, partition by partition. */
  private void read(JsonNode request) throws Exception {
    Map<String, Object> config = clientConfig();
    config.put("isolation.level", request.get("isolation").asText());
    config.put("enable.auto.commit", false);
    config.put("auto.offset.reset", "earliest");
    String topic = request.get("topic").asText();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config)) {
      List<TopicPartition> all = new ArrayList<>();
      for (TopicPartitionInfo info : describe(topic)) all.add(new TopicPartition(topic, info.partition()));
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      long giveUp = System.currentTimeMillis() + TIMEOUT_MS;
      while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.offset() < ends.get(new TopicPartition(topic, record.partition()))) say(described(record));
          giveUp = System.currentTimeMillis() + TIMEOUT_MS;
        }
        if (System.currentTimeMillis() > giveUp) throw new IllegalStateException("nothing came for " + TIMEOUT_MS + " ms");
      }
    }
  }

  private static ObjectNode described(ConsumerRecord<byte[], byte[]> record) {
    ObjectNode answer = JSON.createObjectNode();
    answer.put("partition", record.partition()).put("offset", record.offset());
    answer.put("timestampMs", record.timestamp()).put("timestampType", record.timestampType().name);
    answer.put("key", base64(record.key())).put("value", base64(record.value()));
    ArrayNode headers = answer.putArray("headers");
    for (Header header : record.headers()) headers.addArray().add(header.key()).add(base64(header.value()));
    return answer;
  }

  private KafkaProducer<byte[], byte[]> producer(JsonNode request) {
    Map<String, Object> config = clientConfig();
    config.put("compression.type", request.get("compression").asText());
    config.put("acks", "all");
    config.put("linger.ms", 5);
    config.put("max.request.size", RECORD_BYTES_MAX);
    // A leader that it was told of before the topic was whole is asked for again soon, and nothing is waited for without end.
    config.put("metadata.max.age.ms", METADATA_AGE_MS);
    config.put("max.block.ms", TIMEOUT_MS);
    config.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
    config.put("delivery.timeout.ms", TIMEOUT_MS);
    if (request.hasNonNull("transaction")) config.put("transactional.id", request.get("transaction").asText());
    return new KafkaProducer<>(config);
  }

  private void produce(JsonNode request) throws Exception {
    boolean inTransaction = request.hasNonNull("transaction");
    try (KafkaProducer<byte[], byte[]> producer = producer(request)) {
      if (inTransaction) {
        producer.initTransactions();
        producer.beginTransaction();
      }
      for (JsonNode each : request.get("records")) {
        Integer partition = each.hasNonNull("partition") ? each.get("partition").asInt() : null;
        Long timestamp = each.hasNonNull("timestampMs") ? each.get("timestampMs").asLong() : null;
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(request.get("topic").asText(), partition, timestamp,
            bytes(each.get("key")), bytes(each.get("value")));
        for (JsonNode header : each.get("headers")) record.headers().add(header.get(0).asText(), bytes(header.get(1)));
        producer.send(record).get();
      }
      if (inTransaction && request.get("abort").asBoolean()) producer.abortTransaction();
      else if (inTransaction) producer.commitTransaction();
    }
  }

  /** Numbered messages, as fast as it goes: `{"n":0,"pad":"xxx"}` and so on, without a key. */
  private void fill(JsonNode request) throws Exception {
    String topic = request.get("topic").asText();
    String padding = "x".repeat(request.get("padding").asInt());
    int from = request.get("from").asInt();
    int to = from + request.get("count").asInt();
    int partitions = describe(topic).size();
    AtomicReference<Exception> failed = new AtomicReference<>();
    KafkaProducer<byte[], byte[]> producer = producer(request);
    try {
      for (int n = from; n < to && failed.get() == null; n++) {
        byte[] value = ("{\"n\":" + n + ",\"pad\":\"" + padding + "\"}").getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(topic, n % partitions, null, value), (metadata, error) -> {
          if (error != null) failed.compareAndSet(null, error);
        });
      }
    } finally {
      // What is not written by then fails, and is told by its callback.
      producer.close(Duration.ofMillis(TIMEOUT_MS));
    }
    if (failed.get() != null) throw failed.get();
  }

  private void committed(JsonNode request) throws Exception {
    var offsets = admin.listConsumerGroupOffsets(request.get("group").asText()).partitionsToOffsetAndMetadata().get();
    for (var entry : offsets.entrySet()) {
      if (entry.getValue() == null) continue;
      ObjectNode answer = JSON.createObjectNode().put("topic", entry.getKey().topic());
      say(answer.put("partition", entry.getKey().partition()).put("offset", entry.getValue().offset()));
    }
  }

  private static String base64(byte[] bytes) {
    return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] bytes(JsonNode text) {
    return text == null || text.isNull() ? null : Base64.getDecoder().decode(text.asText());
  }
}
