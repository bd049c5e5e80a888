import java.nio.file.*;
import java.util.*;

/** A program that does what it is told, for the tests of the sandbox. */
public class Acts {
    public static void main(String[] arguments) throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String word = lines.nextLine();
            if (word.equals("memory")) { List<byte[]> all = new ArrayList<>(); while (true) all.add(new byte[1 << 20]); }
            if (word.startsWith("read ")) Files.readAllBytes(Path.of(word.substring(5)));
            if (word.equals("random")) new java.security.SecureRandom().nextInt();
            if (word.equals("socket")) new java.net.ServerSocket(0);
            if (word.equals("process")) new ProcessBuilder("true").start();
            System.out.println(word);
        }
    }
}
