<?php
require 'SignatureClient.php';
while (($line = fgets(STDIN)) !== false) {
    [$url, $key, $timeout, $attempts, $fields] = explode("\t", rtrim($line, "\n"), 5) + [4 => ''];
    parse_str(str_replace("\t", '&', $fields), $request);
    if (isset($request['clientTimeStamp'])) $request['clientTimeStamp'] = (int) $request['clientTimeStamp'];
    try {
        echo (new SignatureClient($url, $key, (int) $timeout, (int) $attempts))->sign($request), "\n";
    } catch (SignatureError $error) {
        echo implode('|', [$error->status, $error->code, $error->field, $error->reason, $error->requestId, $error->retryAfter,
            $error->getMessage()]), "\n";
    } catch (InvalidArgumentException $error) {
        echo 'argument: ', $error->getMessage(), "\n";
    }
}
